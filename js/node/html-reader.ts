// The reader of HTML pages. Apart from html.ts, which the page of the website imports too.
import { mainTextReader, type Parse5 } from './html.js';
import { importPackage } from './packages.js';

/** Resolves to a function from HTML to its main text. A page without text is an error. */
export const htmlReader = async (): Promise<(html: string) => string> =>
  mainTextReader(await importPackage<Parse5>('parse5', '--html'));
