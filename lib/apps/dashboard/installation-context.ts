import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Installation } from '#lib/apps/dashboard/installation.ts';

export const InstallationContext = createContext<Installation | undefined>(undefined);

export const useInstallation = (): Installation => useContext(InstallationContext)!;
