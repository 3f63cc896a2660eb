// 页面的中文文字；随数值变化的文字是函数。The page's messages in Chinese.
import type { Messages } from './en.js';

const others = (more: number): string => (more > 0 ? `另有 ${more} 个文件也无法读取。` : '');

const few = (list: number[]): string =>
  list.slice(0, 5).join('、') + (list.length > 5 ? ` 等 ${list.length} 行` : ' 行');

const tie = '票数相等算作 0';

export const zh: Messages = {
  title: 'nearprint：看清两段文字为什么近似重复',
  skip: '跳到正文',
  views: '视图',
  compareView: '比较两段文字',
  duplicatesView: '查找重复',
  language: '语言',
  shared: ({ copied, whole, view }) => {
    const where = copied ? '链接已复制。' : '链接已写入地址栏。';
    if (view === 'duplicates') {
      return whole
        ? `${where}其中包含粘贴的各行和当前方案，不含文件。`
        : `${where}各行太长，链接放不下，其中只有当前方案。`;
    }
    return whole ? `${where}其中包含两段文字。` : `${where}文字太长，链接放不下，其中只有两个指纹。`;
  },
  sharedOtherFormat: '这个链接出自本页面的另一个版本，无法读取。现有内容没有变动。',
  sharedDamaged: '这个链接已损坏，有一部分缺失或被改动。现有内容没有变动。',
  sharedSummariesOnly: '原文太长，这个链接里只有两段文字的指纹，没有原文。输入或拖入文字，即可开始新的比较。',
  copyLink: '复制链接',
  promise: '您的文字不会离开这个页面。一切计算都由浏览器里的 WebAssembly 就地完成，页面也被禁止向任何地方发送数据。',
  promiseShort: '您的文字不会离开这个页面。',
  failed: ({ message }) => `出错了：${message}`,
  working: '正在比较……',

  headline: ({ bits }) => `两段文字，各 ${bits} 位。`,
  bitsApart: ({ distance }) => (distance === 0 ? '没有一位不同。' : `相差 ${distance} 位。`),
  swap: '互换',
  openFiles: '打开文件',
  saveImage: '保存图片',
  samples: '试一试',
  sampleNews: '改过的英文新闻',
  sampleLicences: '两份许可证',
  sampleChinese: '改了几个词的中文',
  sampleJapanese: '日文',
  sampleEmoji: '表情符号',
  sampleUnrelated: '毫不相干',
  firstText: '第一段文字',
  secondText: '第二段文字',
  characters: ({ count }) => `${count} 个字符`,
  textPlaceholder: '输入或粘贴文字，也可拖入 4 MB 以内的文件。按 Ctrl+Enter 查看结论。',
  clear: '清空',
  'clear-a': '清空第一段文字',
  'clear-b': '清空第二段文字',
  undo: '撤销',
  showAll: '全部显示',
  showLess: '收起',
  textTooLong: ({ length, limit }) => `这样文字将有 ${length} 个字符，上限为 ${limit} 个。原有文字未变。`,
  fileTooLarge: ({ name, size, limit, more }) =>
    `“${name}”有 ${size} MB，超出了还可容纳的 ${limit} MB。原有文字未变。${others(more)}`,
  fileUnreadable: ({ name, more }) => `无法读取“${name}”。它是文件夹，还是已被移走？原有文字未变。${others(more)}`,
  fileExpands: ({ name, limit, more }) => `“${name}”解压后超过 ${limit} MB。原有文字未变。${others(more)}`,
  fileBinary: ({ name, more }) => `“${name}”不是文本文件。原有文字未变。${others(more)}`,
  fileEncoding: ({ name, more }) => `“${name}”含有不属于 UTF-8 或其声明编码的字节。原有文字未变。${others(more)}`,
  filesLeft: ({ name, more }) => `这里只比较两段文字，未读取“${name}”${more > 0 ? `及另外 ${more} 个文件` : ''}。`,

  textMissing: '请在两边各放入一段文字。',
  verdictEmpty: '一个词也没有的文字投不出票，无从比较。',
  verdictIdentical: '两段文字完全相同。',
  verdictSameWords: '用词相同：只有大小写、标点或空白不同。',
  verdictSameFoldedWords: '用词相同：只有变音符号或撇号不同，而指纹不忽略它们。',
  verdictShort: ({ near }) => (near ? '属于近似重复：用词完全相同。' : '不属于近似重复：短文字，用词或符号不同。'),
  verdict: ({ share, units, near }) => `${near ? '属于' : '不属于'}近似重复：${share} 的${units}相同。`,
  verdictEstimated: ({ share, units, near }) => `${near ? '很可能' : '多半不'}是近似重复：约 ${share} 的${units}相同。`,
  remarkSketchesOnly: '只有指纹和草图，没有原文。',
  remarkThreshold: ({ threshold, isDefault }) => `${isDefault ? '默认' : ''}阈值为 ${threshold}。`,
  remarkFew: ({ threshold, few }) => `有一段文字的特征不足 ${few} 个，所以阈值为 ${threshold}。`,
  remarkEstimate: ({ near }) => `单凭草图，则会判为${near ? '' : '不属于'}近似重复：估计值落在阈值的另一侧。`,
  quotes: ({ share, units, side }) => {
    const [part, whole] = side === 'a' ? ['第一段', '第二段'] : ['第二段', '第一段'];
    return `不过，${part}文字有 ${share} 的${units}也在${whole}里，看来是${whole}引用了它。`;
  },
  remarkShort: ({ few }) =>
    `特征不足 ${few} 个的文字算短文字：改一个词就会改变大半。所以只有用词和符号完全相同才算重复。`,
  rawNote:
    '在这个方案下 SimHash 会失灵：FNV-1 先做乘法，再混入最后一个字节，因此两个字符中，后一个只能影响最低的八位，前一个也只多影响几位。在其余各位上，不论什么文字，所有二元组投的票都一样。',
  useFinaliser: '打开终混',

  remarkDisregarded: ({ n }) => `这里不计重复、变音符号、撇号和行末断词；指纹则计入，所以有 ${n} 位不同。`,

  flipTitle: '这一位为什么翻转',
  stripLabel: ({ distance, bits }) => `两枚指纹的各位：${bits} 位中有 ${distance} 位不同`,
  cellLabel: ({ bit, a, b, sums }) => {
    const values = a === b ? `在两段文字里都是 ${a}` : `不同：第一段是 ${a}，第二段是 ${b}`;
    return `第 ${bit} 位${values}。${sums ? `合计为 ${sums.a} 和 ${sums.b}。` : ''}`;
  },
  legend: '实心为 1，空心为 0。红色为不同：左上半是第一段，右下半是第二段。',
  legendSize: '越大，票数差距越悬殊。',
  wordsVote: '每个词和每个词对都对每一位投票。',
  featuresVote: ({ units }) => `文字里的${units}对每一位投票。`,
  pointAtOne: '请指向某一位，或某个词。',
  tapOne: '请轻点某一位，或某个词。',
  bitWas: ({ bit, value, votes }) => `第 ${bit} 位原为 ${value}，${votes === 0 ? tie : `领先 ${votes} 票`}。`,
  bitStays: ({ bit, value, from, to }) => `第 ${bit} 位在两段文字里都是 ${value}，合计为 ${from} 和 ${to}。`,
  movedIt: ({ from, turn, to, value, isTie }) => {
    const way = turn === undefined ? to : `${turn}，{against}又拉回到 ${to}`;
    const ends = [value === undefined ? [] : `现在是 ${value}`, isTie ? tie : []].flat();
    return `{towards}把它从 ${from} 推到 ${way}${ends.length > 0 ? `：${ends.join('，')}` : ''}。`;
  },
  movesCancel: '{moves}互相抵消。',
  changesTooMany: ({ from, to }) => `它在第一段里为 ${from}，在第二段里为 ${to}。文字太长，找不出是哪些词推动的。`,
  otherChanges: '其他改动',
  moreChanges: ({ count }) => `其他 ${count} 处改动`,
  listAnd: '和',
  listComma: '、',
  numberLine: '票数，从第一段到第二段',
  votesUnknown: '没有原文，也就没有票可看。',
  wordVotes: ({ n, features }) =>
    n === 0 ? '{word}不投票。' : `{word}参与的投票者：${features.map((feature) => `“${feature}”`).join('、')}。`,
  wordFlips: ({ bits }) =>
    bits.length === 0 ? '{change}没有翻转任何一位。' : `{change}促成第 ${bits.join('、')} 位翻转。`,
  wordLights: '某一位上半亮起，是投给 1 的票；下半亮起，是投给 0 的票。',
  textKey: ({ bit }) => `有下划线的词不同。黄色的词推动了第 ${bit} 位：颜色越深，推动越多。`,
  moved: '移动',

  detailsTitle: '数值与全部投票',
  votes: '投票',
  votersOf: ({ bit }) => `第 ${bit} 位的全部投票`,
  votesForOne: '投给 1 的',
  votesForZero: '投给 0 的',
  sumOf: ({ ones, zeros, sum }) => `${ones} − ${zeros} = ${sum}`,
  moreVoters: ({ count }) => `还有 ${count} 个，再显示一些`,
  noVotes: '无',

  estimate: '单凭草图估计',
  estimateHint: '每段文字只凭 64 字节的草图得出，附最大的标准误差；“查找重复”比较的就是它。',
  containmentA: '第一段在第二段里的',
  containmentB: '第二段在第一段里的',
  containmentHint: ({ units }) => `一段文字的${units}，有多大比例另一段也有。`,

  schemeTitle: '设置',
  schemeExplain: '方案决定指纹如何得出。只有方案相同的指纹才能相互比较，所以每种方案都有一个标识。',
  schemeLine: ({ share, units, bits }) => `${share} 的${units} · ${bits} 位`,
  schemeReset: '恢复默认',
  schemeRaw: '未混合的 FNV-1（字符对）',
  threshold: '阈值',
  thresholdHint: ({ units }) => `两段文字至少有这么大比例的${units}相同，才算近似重复：太高会漏掉，太低会误认。`,
  thresholdValue: ({ share, units }) => `${share} 的${units}`,
  bits: '位数',
  bitsHint: '位数越多，区分越细；较窄的指纹就是较宽指纹的低半部分。',
  'bits:32': '32 位',
  'bits:64': '64 位',
  'bits:128': '128 位',
  features: '特征',
  featuresHint: '由什么来投票：片段越长，对次序越敏感；越短，则越宽容。',
  'features:grams': '词与词对（默认）',
  'features:words': '单个词',
  'features:words2': '连续 2 个词',
  'features:words3': '连续 3 个词',
  'features:chars2': '字符二元组',
  'features:chars3': '连续 3 个字符',
  'features:chars5': '连续 5 个字符',
  'units:grams': '词对',
  'units:words': '词',
  'units:words2': '词对',
  'units:words3': '三词组',
  'units:chars2': '字符对',
  'units:chars3': '三字符组',
  'units:chars5': '五字符组',
  hash: '哈希',
  hashHint: '把特征变成它所投的各个位；FNV-1a 的两个步骤相同，次序相反。',
  'hash:fnv1': 'FNV-1（默认）',
  'hash:fnv1a': 'FNV-1a',
  mix: '终混',
  mixHint: '让哈希值的每一位影响其他所有位；没有它，不相干的文字也会靠得很近。128 位必须使用。',
  weights: '权重',
  weightsHint: '特征多次出现时算几票；取对数可以避免常用词压倒其余。',
  'weights:log': '次数的对数（默认）',
  'weights:tf': '出现次数',
  'weights:binary': '各算一票',
  normalize: '规范化',
  normalizeHint: '抹平大小写、全角半角、兼容字形和不可见字符的差别。',
  'normalize:nfkc-casefold': 'NFKC 大小写折叠（默认）',
  'normalize:none': '不做',

  useTitle: '写进代码',
  useExplain: '按本页当前设置写成的 JavaScript，可用于 Node、Deno、Bun、Workers 和浏览器。',
  notPublished: '（尚未发布）',
  fromClone: '尚未发布：在克隆的仓库中运行 npm run build && npm pack ./pkg，即可得到可安装的包。',
  codeLabel: '当前设置的代码',
  copy: '复制',
  copied: '已复制',
  copyFailed: '已选中，请手动复制',
  links: '链接',
  documentation: '文档',
  repository: '源代码',
  npm: 'npm',

  duplicatesTitle: '哪些其实早就见过？',
  duplicatesLead:
    '先给每段文字作一份 80 字节的草图，由它估计两段文字有多少相同。每一组保留最先出现的那段，其余都是它的近似重复。',
  collections: '试一试',
  collectionReal: '159 篇真实文档，六种语言',
  sampleLicencesLink: '文档的来源与许可',
  lines: '文字，每行一段，或 JSON、表格',
  linesPlaceholder: '在此粘贴文本行、JSON Lines、JSON 数组、CSV 或 TSV，也可以拖入文件',
  limits: ({ megabytes }) =>
    `可用文本行、JSON Lines、JSON 数组、CSV 或 TSV；一次放入多个文本文件时，每个文件算一段；也可用 gzip 压缩。合计不超过 ${megabytes} MB。`,
  readAs: '读作',
  formatAuto: '自动识别',
  formatLines: '文本行',
  formatJsonl: 'JSON Lines',
  formatJson: 'JSON 数组',
  formatTable: 'CSV 或 TSV',
  textFrom: '文字取自',
  suspected: ({ format }) => `目前每行算一段文字，但这些行看起来像 ${format}。`,
  readAsThat: '改用这种格式',
  chooseFiles: '选择文件',
  sourceFiles: ({ name, more, size }) => `${name}${more > 0 ? `等 ${more + 1} 个文件` : ''}，${size}`,
  sourceSample: 'sample.jsonl：159 篇真实文档',
  sourceStart: '来源的开头',
  useLines: '改为输入文本行',
  find: '开始查找',
  cancel: '取消',
  cancelled: '已取消，粘贴的各行都还在。',
  taken: ({ count, format }) => `已读入 ${count} 段文字，格式：${format}。`,
  tooFew: '至少需要两段文字。',
  nothingRead: '其中没有可用的文字。',
  brokenLines: ({ lines }) => `已略过：第 ${few(lines)}不是含有文字的 JSON，或与表头列数不符。`,
  unreadRest: ({ line }) => `只读到第 ${line} 行：其后缺少引号，或某一行太长。`,
  encoding: '编码',
  chooseEncoding: '请在上方选择文件的编码。',
  noticeDamaged: ({ count, total }) =>
    `${total} 段文字中有 ${count} 段含有 U+FFFD（\ufffd），它代替了某个程序无法读取的字节：生成文件时编码对吗？`,
  noticeBlank: ({ count, total }) => `${total} 段文字中有 ${count} 段没有词，不与任何文字相似：字段和编码选对了吗？`,
  noticeBreaks: ({ count, rows }) => `${rows} 行中有 ${count} 个换行位于引号之内：多余的引号会吞掉其后的行。`,
  noticeCopies: ({ count, total, name }) =>
    `${total} 段文字中有 ${count} 段与 ${name} 用词相同：是错误页，还是字段选错了？`,
  noticeFamily: ({ count, total, name, share }) =>
    `${total} 段文字中有 ${count} 段是 ${name} 的近似重复，其中最不相似的与它有 ${share} 相同。如果内容其实不同，请提高阈值。`,
  sampleMissing: '样本加载失败，是不是断网了？',
  viewMissing: '此页面加载失败，是不是断网了？',
  reading: ({ share }) => `读取文字：${share}`,
  sketching: ({ share }) => `制作草图：${share}`,
  searching: ({ share }) => `查找重复：${share}`,
  foundVerdict: ({ total, dropped, clusters, threshold, units, number }) =>
    dropped === 0
      ? `${number(total)} 段文字全部保留：没有哪两段有 ${threshold} 的${units}相同。`
      : `${number(total)} 段文字中保留 ${number(total - dropped)} 段；另外 ${number(dropped)} 段是近似重复，分属 ${number(
          clusters,
        )} 组，至少有 ${threshold} 的${units}相同。`,
  foundTook: ({ sketching, took }) => `草图 ${sketching} 毫秒，查找 ${took} 毫秒。`,
  export: '下载保留的文字',
  exportReport: '下载报告',
  missesTitle: '阈值附近',
  missesExplain: '最接近阈值的各对。如果刚过阈值的本该保留，就提高阈值；如果刚好不到的本该去掉，就降低阈值。',
  missesAbove: '去掉的，刚过阈值',
  missesBelow: '保留的，刚好不到阈值',
  missesNone: '没有。',
  histogramTitle: '与保留的文字有多少相同',
  histogramExplain: ({ units }) =>
    `除第一段外，每段文字按它与之前保留的文字中最近一段的相同${units}比例计入；线右边的都去掉。把竖线拖到近似重复与其余分开的地方。`,
  histogramBar: ({ share, count }) => `${share}：${count} 段`,
  histogramLabel: ({ near, all }) => `按相似程度统计：${all} 段中有 ${near} 段达到阈值。`,
  histogramAxis: ({ most }) =>
    `横轴为相同的比例，没有找到相近文字的也计在 0% 处；高度取对数，最高的一柱是 ${most} 段。`,
  clustersTitle: '各组',
  clustersExplain: ({ few }) =>
    `大的在前。比例为估计值，指与上方保留的那段相同的部分。点开一段，看有何不同。特征不足 ${few} 个的文字，只有用词和符号完全相同才算重复。`,
  clusterSize: ({ count }) => `${count} 段近似重复`,
  kept: '保留',
  alike: ({ share }) => `${share} 相同：`,
  moreMembers: ({ count }) => `还有 ${count} 段，再显示一些`,
  moreClusters: ({ count }) => `还有 ${count} 组，再显示一些`,
  compareThese: '比较这两段',
  recipeTitle: '在别处同样处理',
  recipeExplain: '阈值和方案与本页相同，保留的文字也相同。',
  recipeCommand: '命令行',
  recipeProgram: 'Node 程序',
  diffGap: ({ count }) => `${count} 个字符相同`,
  diffNone: '用词完全相同。',
};
