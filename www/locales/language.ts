/** A language of the page. */
export type Language = 'en' | 'zh';
