// A plugin of TypeDoc: a document's first heading is its name in the navigation, its folder decides its group, and its
// page has the name of its file. A module has the name by which it is imported. Each page links to the crate's.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Converter, JSX, KindRouter, ReflectionKind } from 'typedoc';

const root = fileURLToPath(new URL('../..', import.meta.url));

const groups = [
  [/^docs\/guides\//, 'Guides'],
  [/^docs\//, 'Reference'],
  [/./, 'The project'],
];

const pathOf = (document) => relative(root, document.project.files.getReflectionPath(document)).replaceAll('\\', '/');

const { exports } = JSON.parse(readFileSync(new URL('../../pkg/package.json', import.meta.url), 'utf8'));
/** The names by which modules are imported, by their paths below types/. All stores share the types of store/store. */
const names = new Map([['stores/store', 'store/store']]);
for (const [name, conditions] of Object.entries(exports)) {
  const types = conditions.types ?? conditions.default?.types;
  if (name !== '.' && types) names.set(types.slice('./types/'.length, -'.d.ts'.length), name.slice('./'.length));
}

export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_, declaration) => {
    if (declaration.kind === ReflectionKind.Module) declaration.name = names.get(declaration.name) ?? declaration.name;
  });
  // The comments of every module may link to an export of the main module or of the fingerprints.
  app.converter.addUnknownSymbolResolver(({ symbolReference }, { project }) => {
    const path = symbolReference?.path?.map((part) => part.path);
    const target = path && (project.getChildByName(['index', ...path]) ?? project.getChildByName(['simhash', ...path]));
    return target && { target };
  });
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    const [first] = document.content;
    const [heading, title] = /^# (.*)\n+/.exec(first.text);
    first.text = first.text.slice(heading.length);
    document.name = title;
    document.frontmatter.group = groups.find(([pattern]) => pattern.test(pathOf(document)))[1];
  });
  // A reader who has not closed the guides sees them in the navigation.
  app.renderer.hooks.on('head.end', () =>
    JSX.createElement(
      'script',
      null,
      JSX.createElement(JSX.Raw, { html: "localStorage['tsd-accordion-Guides']??='true'" }),
    ),
  );
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
