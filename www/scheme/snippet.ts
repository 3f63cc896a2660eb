// The section "In your code": a program with the present settings.
import { copyable } from '../shared/copyable.js';
import { byId } from '../shared/dom.js';
import { notPublished } from '../shared/links.js';
import { onChange, state } from '../shared/state.js';
import { optionsOf, type Scheme, sketchOptionsOf } from './scheme.js';
import { defaultThreshold } from './threshold.js';

/** Returns a value as JavaScript in the style of the package's documentation. */
const literal = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `{ ${Object.entries(value)
        .map(([key, value]) => `${key}: ${literal(value)}`)
        .join(', ')} }`
    : JSON.stringify(value).replace(/^"(.*)"$/, "'$1'");

/** Returns a module that finds near-duplicates with these settings. It names only the options that are not the default. */
export function snippetOf(scheme: Scheme, threshold: number): string {
  const options = Object.entries(sketchOptionsOf(optionsOf(scheme)));
  const lines = [
    ...(threshold === defaultThreshold ? [] : [`  minResemblance: ${threshold},\n`]),
    ...options.map(([name, value]) => `  ${name}: ${literal(value)},\n`),
  ];
  const given = lines.length === 0 ? '' : `, {\n${lines.join('')}}`;
  return `// npm install nearprint
import { dedupe } from 'nearprint';

const documents = [
  { id: 'a', text: 'The river burst its banks, and the road is closed.' },
  { id: 'b', text: 'THE RIVER burst its banks, and the road is closed!' },
];
for await (const { id, status } of dedupe(documents${given})) {
  console.log(id, status);
}
`;
}

export function startSnippet(): void {
  byId('snippets').append(copyable('snippet', 'codeLabel', ''), ...notPublished());
  const show = () => {
    byId('snippet').textContent = snippetOf(state.scheme, state.threshold);
  };
  onChange((changed) => {
    if (changed.has('scheme') || changed.has('threshold')) show();
  });
  show();
}
