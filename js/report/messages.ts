// The messages of a report in each language. A message that depends on values is a function of them. Numbers in strings are
// formatted; `n` is the number that decides between singular and plural.
import type { MAX_SHOWN } from './select.js';

/** The features that a resemblance counts. */
export interface FeatureKind {
  kind: 'grams' | 'words' | 'characters';
  /** The number of words or characters of a shingle. */
  size: number;
}

type Values<Name extends string> = Readonly<Record<Name, string>>;

const units = {
  en: ({ kind, size }: FeatureKind) =>
    kind === 'grams' ? 'word pairs' : size === 1 ? `different ${kind}` : `groups of ${size} ${kind}`,
  zh: ({ kind, size }: FeatureKind) =>
    kind === 'grams' ? '词对' : `${size === 1 ? '' : `${size} 个连续的`}${kind === 'words' ? '词' : '字符'}`,
};

const plural = (n: number, one: string): string => (n === 1 ? one : `${one}s`);

const en = {
  lang: 'en',
  title: 'Near-duplicates',
  verdict: ({ dropped, documents, threshold }: Values<'dropped' | 'documents' | 'threshold'>) =>
    `${dropped} of ${documents} documents are near-duplicates at a threshold of ${threshold}.`,
  verdictNone: ({ documents, threshold }: Values<'documents' | 'threshold'>) =>
    `None of ${documents} documents is a near-duplicate at a threshold of ${threshold}.`,
  unit: (feature: FeatureKind) =>
    `Resemblance is the number of ${units.en(feature)} that are in both texts, divided by the number that are in either. A document is dropped if its resemblance to a kept one is at least the threshold.`,
  source: ({ names }: Values<'names'>) => `From ${names}.`,
  short: ({ count, few }: Values<'count' | 'few'>) =>
    `${count} texts are short (fewer than ${few} different features): they match only texts with the same words.`,
  earlier: ({ count }: Values<'count'>) =>
    `${count} documents are near-duplicates of documents of earlier runs. Their texts are not in the input, so they are not shown.`,

  distribution: 'How much the documents resemble a kept one',
  distributionExplain:
    'Each document but the first, by its resemblance to the nearest document kept before it, as their sketches estimate it. Documents to the right of the line are dropped. The height is logarithmic.',
  distributionLabel: ({ dropped, documents, threshold }: Values<'dropped' | 'documents' | 'threshold'>) =>
    `Documents by resemblance: ${dropped} of ${documents} are at or above ${threshold}.`,
  bar: ({ share, count, n }: { share: string; count: string; n: number }) =>
    `${share}: ${count} ${plural(n, 'document')}`,

  misses: 'At the threshold',
  missesExplain:
    'The pairs closest to the threshold. If the documents just above it should be kept, raise the threshold. If the documents just below it should be dropped, lower it.',
  above: 'Dropped, just above the threshold',
  below: 'Kept, just below the threshold',
  none: 'None.',

  clusters: 'Clusters, the largest first',
  clustersExplain: 'Each kept document, and the documents that were dropped as its near-duplicates.',
  clustersShown: ({ shown, all, pairs }: Values<'shown' | 'all' | 'pairs'>) =>
    `Shown: ${shown} of ${all} clusters, ${pairs} pairs.`,
  kept: 'kept',
  clusterSize: ({ count, n }: { count: string; n: number }) => `${count} ${plural(n, 'document')} dropped`,
  moreMembers: ({ count }: Values<'count'>) => `and ${count} more`,
  dropped: 'dropped',
  resemblance: ({ share }: Values<'share'>) => `Resemblance: ${share}.`,
  gap: ({ count }: Values<'count'>) => `${count} equal characters`,
  equal: 'The texts are identical.',
  cut: ({ count }: Values<'count'>) => `Only the first ${count} characters of each text are compared here.`,
  replaced: 'The texts differ in too many places to mark them one by one.',
  notShown: 'Not shown: the report would become too large.',
  footer: ({ clusters, members, pairs, misses }: Values<keyof typeof MAX_SHOWN>) =>
    `This file is complete: it loads nothing and runs no script. It shows at most ${clusters} clusters, ${members} documents of each, ${pairs} pairs of clusters, and ${misses} pairs on each side of the threshold.`,
};

export type Messages = typeof en;

const zh: Messages = {
  lang: 'zh-Hans',
  title: '近似重复',
  verdict: ({ dropped, documents, threshold }) =>
    `阈值为 ${threshold} 时，${documents} 篇文档中有 ${dropped} 篇是近似重复。`,
  verdictNone: ({ documents, threshold }) => `阈值为 ${threshold} 时，${documents} 篇文档中没有近似重复。`,
  unit: (feature) =>
    `相似度是两篇文字相同${units.zh(feature)}的比例：两篇合起来的各种${units.zh(feature)}中，有多少是两篇都有的。一篇文档与某篇保留的文档的相似度达到阈值，就去掉。`,
  source: ({ names }) => `来自 ${names}。`,
  short: ({ count, few }) => `${count} 篇太短（不同的特征不足 ${few} 个），只有用词完全相同才算重复。`,
  earlier: ({ count }) => `${count} 篇与以前各次运行中的文档近似重复。那些文字不在这次的输入中，所以没有列出。`,

  distribution: '与保留的文档有多相似',
  distributionExplain:
    '除第一篇外，每篇文档按它与之前保留的最近一篇的相似度计入，相似度由草图估计。线右边的都去掉。高度取对数。',
  distributionLabel: ({ dropped, documents, threshold }) =>
    `按相似度统计：${documents} 篇中有 ${dropped} 篇达到 ${threshold}。`,
  bar: ({ share, count }) => `${share}：${count} 篇`,

  misses: '阈值附近',
  missesExplain: '最接近阈值的各对。如果刚过阈值的本该保留，就提高阈值；如果刚好不到的本该去掉，就降低阈值。',
  above: '去掉的，刚过阈值',
  below: '保留的，刚好不到阈值',
  none: '没有。',

  clusters: '各组，大的在前',
  clustersExplain: '每篇保留的文档，以及因与它近似重复而去掉的文档。',
  clustersShown: ({ shown, all, pairs }) => `列出 ${all} 组中的 ${shown} 组，共 ${pairs} 对。`,
  kept: '保留',
  clusterSize: ({ count }) => `去掉 ${count} 篇`,
  moreMembers: ({ count }) => `以及另外 ${count} 篇`,
  dropped: '去掉',
  resemblance: ({ share }) => `相似度：${share}。`,
  gap: ({ count }) => `${count} 个字符相同`,
  equal: '两篇文字逐字相同。',
  cut: ({ count }) => `这里只比较每篇的前 ${count} 个字符。`,
  replaced: '两篇文字的不同之处太多，没有逐一标出。',
  notShown: '没有列出：否则报告太大。',
  footer: ({ clusters, members, pairs, misses }) =>
    `这个文件是完整的：不加载任何东西，也不运行脚本。最多列出 ${clusters} 组，每组 ${members} 篇，各组合计 ${pairs} 对，阈值两侧各 ${misses} 对。`,
};

export const messages: Readonly<Record<'en' | 'zh', Messages>> = { en, zh };

export type Language = keyof typeof messages;

export const languages: readonly Language[] = Object.keys(messages) as Language[];
