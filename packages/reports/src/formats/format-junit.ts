import { printableText, visibleCharacter } from "@assay/schemas"

export interface JunitReport {
  readonly name: string
  readonly suites: readonly JunitSuite[]
  /** How long the whole took; without it, no times are written. */
  readonly milliseconds?: number
}

export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

export interface JunitCase {
  readonly className: string
  readonly name: string
  /** Absent for a test case that passed. */
  readonly outcome?: JunitOutcome
  /** The output of a test case that passed, or the body of its outcome. Without it, the element is empty. */
  readonly details?: string
}

export interface JunitOutcome {
  readonly kind: "failure" | "error" | "skipped"
  readonly type?: string
  readonly message: string
}

/** Formats test suites as JUnit XML, as CI servers read it. */
export function formatJunit({ name, suites, milliseconds }: JunitReport): string {
  const time = milliseconds === undefined ? "" : ` time="${(milliseconds / 1000).toFixed(3)}"`
  const all = suites.flatMap(({ cases }) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(name)}" ${countsOf(all)}${time}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${xml(suite.name)}" ${countsOf(suite.cases)}${time}>`,
      ...suite.cases.map(formatCase),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n")
}

function countsOf(cases: readonly JunitCase[]): string {
  const count = (kind: JunitOutcome["kind"]) => cases.filter(({ outcome }) => outcome?.kind === kind).length
  return `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}"`
}

function formatCase({ className, name, outcome, details }: JunitCase): string {
  const start = `    <testcase classname="${xml(className)}" name="${xml(name)}"`
  if (outcome === undefined) {
    return details === undefined
      ? `${start}/>`
      : `${start}>\n      <system-out>${xml(details)}</system-out>\n    </testcase>`
  }
  const { kind, type, message } = outcome
  const element = `${kind} ${type === undefined ? "" : `type="${xml(type)}" `}message="${xml(message)}"`
  const body = details === undefined ? `<${element}/>` : `<${element}>${xml(details)}</${kind}>`
  return `${start}>\n      ${body}\n    </testcase>`
}

/** Characters that XML 1.0 can't represent besides control characters. */
const FORBIDDEN = /[\p{Cs}\uFFFE\uFFFF]/gu
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;",
}

/** Escapes a text for XML 1.0, in attributes and between elements. Characters that XML can't represent, and controls, are shown as `⟨U+202E⟩`. */
function xml(text: string): string {
  return printableText(text.replaceAll("\r\n", "\n"))
    .replace(FORBIDDEN, visibleCharacter)
    .replace(/[&<>"\n\t]/g, (sign) => ENTITIES[sign] ?? sign)
}
