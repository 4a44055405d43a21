import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** How often the person has signed in again in other tabs while this one was open. */
export const SignInsContext = createContext(0);

/** A component that uses this is drawn again after each new sign-in. */
export const useSignIns = (): number => useContext(SignInsContext);
