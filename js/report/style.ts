// The style of a report. It uses the fonts of the reader's system, and loads nothing.

export const style: string = `
:root{color-scheme:light dark;--ink:light-dark(#1d1b16,#ebe6da);--quiet:light-dark(#625c4f,#aaa292);
--paper:light-dark(#f8f5ee,#181713);--sheet:light-dark(#fffdf8,#201f1a);--rule:light-dark(#d8d1c0,#3b3830);
--edge:light-dark(#8a826f,#7d7666);--differs:light-dark(#b3311a,#ff8263);--wash:light-dark(#f6e1d8,#46261d);
--serif:"Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L",Charter,"Source Serif 4","DejaVu Serif",Georgia,
"Songti SC","Noto Serif CJK SC","Source Han Serif SC",STSong,serif;
--sans:system-ui,"Segoe UI",Roboto,"PingFang SC","Noto Sans CJK SC","Microsoft YaHei",sans-serif;
--mono:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
*{box-sizing:border-box}
body{margin:0 auto;padding:0 clamp(1rem,4vw,3rem) 4rem;max-width:80rem;background:var(--paper);color:var(--ink);
font:1rem/1.55 var(--sans);overflow-wrap:break-word}
h1,h2,h3,p,ul,ol,dl,figure{margin:0}ul,ol{padding:0;list-style:none}
h1,h2,.verdict{font-family:var(--serif);font-weight:400;letter-spacing:-.01em;text-wrap:balance}
h1{padding-top:2rem;font-size:1.15rem;color:var(--quiet)}
h2{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--rule);font-size:1.55rem;line-height:1.2}
h3{margin:1.6rem 0 .4rem;font-size:1rem}
.verdict{margin:.6rem 0;font-size:clamp(1.5rem,1.1rem + 1.6vw,2.2rem);line-height:1.25}
.explain{max-width:46rem;margin:.4rem 0 1rem;color:var(--quiet);font-size:.94rem}
.verdict+.explain{margin-bottom:0}
summary:focus-visible{outline:2px solid currentColor;outline-offset:2px}
.chart{display:block;width:100%;height:11rem}
.chart rect{fill:var(--edge)}.chart .near{fill:var(--differs)}.chart line{stroke:var(--ink);stroke-width:2;
vector-effect:non-scaling-stroke}
.axis{display:flex;justify-content:space-between;border-top:1px solid var(--ink);color:var(--quiet);font-size:.82rem;
font-variant-numeric:tabular-nums}
.cluster{padding:1rem 0;border-top:1px solid var(--rule)}
.cluster:first-child{border-top:0}
.head,summary{display:grid;grid-template-columns:4.2rem minmax(0,1fr);gap:0 .9rem;padding:.4rem}
summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}
summary:hover,[open]>summary{background:var(--sheet)}
.share{grid-row:span 2;text-align:end;color:var(--quiet);font-size:.86rem}
.share b{display:block;font:400 1.25rem/1.2 var(--serif);color:var(--differs)}
.name{font:.84rem var(--mono);color:var(--quiet);overflow-wrap:anywhere}
.excerpt{grid-column:2;font-size:.92rem;line-height:1.45;overflow:hidden;text-overflow:ellipsis}
summary .excerpt{white-space:nowrap}
.sides{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 1.6rem;padding:.4rem .4rem 1.4rem 5.5rem}
.which{margin:.6rem 0 .3rem;color:var(--quiet);font-size:.84rem}
.text{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.92rem;line-height:1.6}
del,ins{padding-inline:.1em;background:var(--wash)}
del{text-decoration:line-through 1.5px var(--differs)}
ins{text-decoration:underline 2px var(--differs);text-underline-offset:.2em}
.gap{display:block;margin-block:.5rem;padding-inline-start:.8rem;border-inline-start:2px dotted var(--edge);
color:var(--quiet);font-size:.84rem}
.note{grid-column:1/-1;margin-bottom:.2rem;color:var(--quiet);font-size:.86rem}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--rule);color:var(--quiet);font-size:.86rem}
@media(max-width:44rem){.sides{grid-template-columns:minmax(0,1fr);padding-inline-start:.4rem}.chart{height:8rem}
.head,summary{grid-template-columns:3.3rem minmax(0,1fr)}}
@media(forced-colors:active){.chart rect{fill:GrayText}.chart .near{fill:Highlight}.chart line{stroke:CanvasText}}
@media print{summary .excerpt{white-space:normal}}
`;

/** The hash of the style for the content security policy, which blocks all other styles. */
export const styleHash: string = 'sha256-ONpq6CwFhT3OTYUGC1rbW2/3EEMXxHT1jdoLVHc3Zu8=';
