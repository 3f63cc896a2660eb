// The frame and the parts of every report: one HTML file without scripts and without resources to load.
import { type Content, html, type Markup } from './markup.js';
import type { FeatureKind, Messages } from './messages.js';
import { style, styleHash } from './style.js';

const policy = `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'`;

/** Returns the features that the resemblance of a scheme counts. */
export function featureKindOf(scheme: string): FeatureKind {
  const [, unit, size] = /:(words|chars)(\d+)/.exec(scheme) ?? [];
  if (unit === undefined) return { kind: 'grams', size: 1 };
  return { kind: unit === 'words' ? 'words' : 'characters', size: Number(size) };
}

/** Formats a threshold as the options accept it. */
export const threshold = (value: number): string => value.toFixed(2);

export const section = (title: string, content: Content): Markup => html`<section>
<h2>${title}</h2>
${content}</section>
`;

export const explain = (content: Content): Markup => html`<p class="explain">${content}</p>
`;

/** Formats the numbers of a report in its language. */
export class Numbers {
  readonly #lang: string;

  constructor({ lang }: Messages) {
    this.#lang = lang;
  }

  whole(value: number): string {
    return value.toLocaleString(this.#lang, { maximumFractionDigits: 0 });
  }

  /** Formats a share, rounded down, so that no share below the threshold reads like the threshold. */
  percent(share: number, digits = 0): string {
    const rounded = Math.floor(share * 100 * 10 ** digits + 1e-9) / (100 * 10 ** digits);
    return rounded.toLocaleString(this.#lang, { style: 'percent', maximumFractionDigits: digits });
  }

  /** Formats whole numbers by their names, for a message. */
  all<Name extends string>(values: Readonly<Record<Name, number>>): Record<Name, string> {
    const entries = Object.entries<number>(values).map(([name, value]) => [name, this.whole(value)]);
    return Object.fromEntries(entries) as Record<Name, string>;
  }
}

/** Returns the HTML of a report. */
export const pageHtml = (t: Messages, body: Content, footer: string): string =>
  html`<!doctype html>
<html lang="${t.lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${t.title} · nearprint</title>
<style>${html([style])}</style>
</head>
<body>
<main>
${body}
</main>
<footer><p>${footer}</p></footer>
</body>
</html>
`.text;
