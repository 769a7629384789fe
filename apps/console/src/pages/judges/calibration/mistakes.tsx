import { formatCount, formatInteger } from "@assay/reports"
import type { CalibratedJudge, CalibrationReport, JudgedExample } from "@assay/schemas"
import { useId, useState, type ReactElement } from "react"
import { Folded } from "../../../components/folded.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"

/** A report keeps 200 prompts of each kind. A file from elsewhere may have more. */
const MAX_SHOWN = 500
/** Prompts that are read before the rest is unfolded: each is as high as its texts. */
const FEW = 5

interface MistakeKind {
  readonly label: string
  readonly kept: (judge: CalibratedJudge) => readonly JudgedExample[]
  /** Number of all of them. */
  readonly count: (judge: CalibratedJudge) => number
}

const KINDS: Readonly<Record<string, MistakeKind>> = {
  blocked: { label: "Safe prompts blocked", kept: (one) => one.blocked_safe, count: (one) => one.false_block.count },
  missed: { label: "Unsafe prompts missed", kept: (one) => one.missed_unsafe, count: (one) => one.miss.count },
  unreadable: {
    label: "Unreadable answers",
    kept: (one) => one.unreadable_examples,
    count: (one) => one.unreadable.count,
  },
  failed: { label: "Failed requests", kept: (one) => one.error_examples, count: (one) => one.errors.count },
}

/** Renders the prompts that a judge got wrong or could not judge, with its words. The address has the choices. */
export function Mistakes({ judges }: Pick<CalibrationReport, "judges">): ReactElement | null {
  const id = useId()
  const [judgeName, setJudge] = useSearchValue("judge")
  const [kindName, setKind] = useSearchValue("mistakes")
  const [text, setText] = useState("")
  const judge = judges.find(({ name }) => name === judgeName) ?? judges[0]
  if (judge === undefined) return null
  const kind = KINDS[kindName ?? ""] ?? firstKind(judge)
  const kept = kind.kept(judge)
  const wanted = text.trim().toLowerCase()
  const shown = kept.filter((one) => wanted === "" || searchedText(one).includes(wanted))
  return (
    <section aria-label="Wrongly judged prompts" className="mistakes">
      <h2>Wrongly judged prompts</h2>
      <div className="tools">
        <label htmlFor={`${id}-judge`}>Judge</label>
        <select id={`${id}-judge`} value={judge.name} onChange={({ target }) => setJudge(target.value)}>
          {judges.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <span className="actions" role="group" aria-label="Kind of mistake">
          {Object.entries(KINDS).map(([name, one]) => (
            <button key={name} type="button" aria-pressed={one === kind} onClick={() => setKind(name)}>
              {one.label} {formatInteger(one.count(judge))}
            </button>
          ))}
        </span>
        <input
          type="search"
          aria-label="Text in prompts and answers"
          placeholder="Text"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <p className="soft" role="status">
        {kind.count(judge) > kept.length
          ? `${formatInteger(shown.length)} shown; the report keeps ${formatInteger(kept.length)} of ${formatInteger(kind.count(judge))}.`
          : `${formatInteger(shown.length)} shown.`}
      </p>
      <MistakeList examples={shown.slice(0, FEW)} />
      {shown.length <= FEW ? null : (
        <Folded key={`${judge.name} ${kind.label}`} title={formatCount(shown.length - FEW, "more prompt")}>
          {() => <MistakeList examples={shown.slice(FEW, MAX_SHOWN)} />}
        </Folded>
      )}
    </section>
  )
}

function MistakeList({ examples }: { readonly examples: readonly JudgedExample[] }): ReactElement {
  return (
    <ul className="plain">
      {examples.map((one) => (
        <Mistake key={one.row} example={one} />
      ))}
    </ul>
  )
}

function Mistake({ example }: { readonly example: JudgedExample }): ReactElement {
  const { row, id, category, language, reason, prompt, response, raw } = example
  const tags = [`row ${row}`, id, category, language, reason].filter((tag) => tag !== undefined)
  return (
    <li className="card mistake">
      <p dir="auto">{prompt}</p>
      {response === undefined ? null : (
        <p dir="auto" className="soft">
          {response}
        </p>
      )}
      <p className="soft" dir="auto">
        {tags.join(" · ")}
      </p>
      <pre dir="auto">{raw ?? "(no answer was kept)"}</pre>
    </li>
  )
}

/** Returns the first kind of mistake that the judge made. */
function firstKind(judge: CalibratedJudge): MistakeKind {
  const kinds = Object.values(KINDS)
  const found = kinds.find((kind) => kind.kept(judge).length > 0) ?? kinds[0]
  if (found === undefined) throw new RangeError("There are kinds of mistakes.")
  return found
}

function searchedText({ prompt, response = "", raw, id = "", category = "", language = "" }: JudgedExample): string {
  return `${prompt}\n${response}\n${raw ?? ""}\n${id}\n${category}\n${language}`.toLowerCase()
}
