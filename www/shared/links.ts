// The links to the package's other places. The build takes them from package.json (scripts/page.mjs).
import { type PlainKey, t } from '../locales/locale.js';
import { byId, el } from './dom.js';

/** The addresses of the documentation, the repository and the package on npm. One that is not known is empty. */
declare const DOCUMENTATION: string;
declare const REPOSITORY: string;
declare const NPM: string;

/** Whether the registries have the package. */
declare const IS_PUBLISHED: boolean;

const link = (href: string, key: PlainKey): HTMLElement[] => (href === '' ? [] : [el('a', { href, 'data-t': key })]);

export function showLinks(): void {
  byId('links').append(...link(DOCUMENTATION, 'documentation'), ...link(REPOSITORY, 'repository'), ...link(NPM, 'npm'));
}

/** Returns what a command that needs the published package waits for: nothing, once there is one. */
export const notPublished = (): HTMLElement[] =>
  IS_PUBLISHED ? [] : [el('p', { class: 'hint', 'data-t': 'fromClone' }, t('fromClone'))];
