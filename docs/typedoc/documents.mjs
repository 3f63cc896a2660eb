// A plugin of TypeDoc: a document's first heading is its name in the navigation, its folder decides its group, and its
// page has the name of its file. Each page links to the crate's.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Converter, JSX, KindRouter } from 'typedoc';

const root = fileURLToPath(new URL('../..', import.meta.url));

const groups = [
  [/^docs\/guides\//, 'Guides'],
  [/^docs\//, 'Reference'],
  [/./, 'The project'],
];

const pathOf = (document) => relative(root, document.project.files.getReflectionPath(document)).replaceAll('\\', '/');

export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    const [first] = document.content;
    const [heading, title] = /^# (.*)\n+/.exec(first.text);
    first.text = first.text.slice(heading.length);
    document.name = title;
    document.frontmatter.group = groups.find(([pattern]) => pattern.test(pathOf(document)))[1];
  });
  // TypeDoc's own option for links in the sidebar takes no relative addresses.
  app.renderer.hooks.on('sidebar.end', (context) =>
    JSX.createElement(
      'a',
      { class: 'crate', href: context.relativeURL('rust/nearprint/index.html') },
      'The crate, by rustdoc',
    ),
  );
  app.renderer.defineRouter(
    'documents-by-file',
    class extends KindRouter {
      getIdealBaseName(reflection) {
        if (!reflection.isDocument()) return super.getIdealBaseName(reflection);
        return pathOf(reflection)
          .replace(/^docs\//, '')
          .replace(/\.md$/, '')
          .toLowerCase();
      }
    },
  );
}
