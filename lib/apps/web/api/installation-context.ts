import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Installation } from '#lib/apps/web/api/installation.ts';

export const InstallationContext = createContext<Installation | undefined>(undefined);

export const useInstallation = (): Installation => useContext(InstallationContext)!;
