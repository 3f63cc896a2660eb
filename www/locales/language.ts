// The languages of the page.
const languages = ['en', 'zh'] as const;

export type Language = (typeof languages)[number];

export const isLanguage = (tag: string): tag is Language => (languages as readonly string[]).includes(tag);
