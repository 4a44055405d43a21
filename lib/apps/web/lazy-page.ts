import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { PageNotLoaded } from '#lib/apps/web/parts/frame/page-not-loaded.tsx';

/** A page whose script is loaded only when the page is shown. */
export type LazyPage = ComponentType & { readonly preload: () => Promise<unknown> };

export const lazyPage = (load: () => Promise<ComponentType>): LazyPage =>
  lazy(() => load().catch(() => PageNotLoaded)) as LazyPage;
