/** The colours of light screens, by custom property. */
const LIGHT = `--ink: #1b1f24; --soft: #5d6673; --line: #dde2e8; --paper: #f5f7f9; --card: #fff; --block: #b45309;
  --miss: #4f46e5; --good: #137a4b; --bad: #b91c1c; --open: #85650a; --tint: #eef2f6; --accent: #1d5fc4;`

/** The colours of dark screens, by custom property. */
const DARK = `--ink: #e7eaee; --soft: #9aa5b1; --line: #2f3742; --paper: #12161b; --card: #1a2027; --block: #f3a44a;
  --miss: #a5a1ff; --good: #4cc38a; --bad: #ff8080; --open: #e2b93b; --tint: #222a33; --accent: #86b7ff;`

/** CSS: the colours that the system asks for, or those that `data-theme` on the root element names. */
export const COLOUR_STYLE = `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
:root[data-theme="light"] { color-scheme: light; ${LIGHT} }
:root[data-theme="dark"] { color-scheme: dark; ${DARK} }
`

/** CSS of what reports consist of: cards, badges, tables, plots and conditions. The console uses it too, so that both look alike. */
export const COMPONENT_STYLE = `
* { box-sizing: border-box; }
h3 { font-size: 15px; margin: 0; }
p { margin: 0 0 10px; }
code, b, strong, small { unicode-bidi: isolate; } pre, .example p { unicode-bidi: plaintext; }
.soft, small { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; margin: 12px 0; overflow-x: auto; }
.answer { border-left: 5px solid var(--tone); display: flex; gap: 20px; align-items: center; justify-content: space-between; margin-top: 22px; }
.answer strong { display: block; font-size: 21px; line-height: 1.3; }
.answer p { margin: 4px 0 0; max-width: 70ch; }
.PASS { --tone: var(--good); } .FAIL { --tone: var(--bad); } .INCONCLUSIVE, .NONE { --tone: var(--open); } .PLAIN { --tone: var(--soft); }
.badge { display: inline-block; border-radius: 999px; padding: 1px 10px; font-size: 12px; font-weight: 650; letter-spacing: .03em; color: var(--tone);
  border: 1.5px solid var(--tone); white-space: nowrap; }
.answer .badge { font-size: 15px; padding: 4px 16px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; font-size: 13px; color: var(--soft); }
th, td { padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child > td, tbody tr:last-child > th { border-bottom: 0; }
tbody th { color: var(--ink); font-size: 15px; }
td small, th small { display: block; margin-top: 2px; font-size: 12px; font-weight: 400; }
.figures td, .tags { white-space: nowrap; }
.share { min-width: 96px; padding-right: 20px; }
.meter { display: block; height: 6px; border-radius: 3px; background: var(--tint); margin-top: 4px; overflow: hidden; }
.meter i { display: block; height: 100%; background: var(--fill); }
.block { --fill: var(--block); } .miss { --fill: var(--miss); }
svg text { paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; }
svg { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); } svg .grid { stroke: var(--line); } svg .limit { stroke: var(--bad); stroke-dasharray: 4 3; } svg .limit-text { fill: var(--bad); }
svg .block { stroke: var(--block); fill: var(--block); } svg .miss { stroke: var(--miss); fill: var(--miss); } svg .felt { fill: var(--card); opacity: .8; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 12px; }
.plots .card { margin: 0; }
.condition { border-left: 5px solid var(--tone); }
.condition header { display: flex; gap: 10px; align-items: baseline; flex-wrap: wrap; }
code { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; background: var(--tint); padding: 1px 6px; border-radius: 4px; overflow-wrap: anywhere; }
.remedy { margin: 10px 0 0; } .remedy b { color: var(--good); }
.evidence { margin: 8px 0; padding-left: 18px; font-size: 13px; color: var(--soft); overflow-wrap: anywhere; }
details { border-top: 1px solid var(--line); padding: 10px 0; } details:first-of-type { border-top: 0; }
summary { cursor: pointer; font-weight: 600; }
.example { padding: 10px 0; border-top: 1px solid var(--line); } .example p { margin: 0 0 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { margin: 0; padding: 8px 10px; background: var(--tint); border-radius: 6px; font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.tags { font-size: 12px; color: var(--soft); }
.legend { display: flex; gap: 18px; flex-wrap: wrap; font-size: 13px; color: var(--soft); margin: 0 0 8px; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 50%; margin-right: 6px; background: var(--fill); }
.legend .hollow { background: none; border: 2px solid var(--soft); }
.notes li { margin: 4px 0; }
`
