import { type Html, formatInteger, formatScore, html, intervalNote, intervalPlot, scoreInterval } from "@assay/reports"
import { gateTexts } from "@assay/evaluation-files"
import type { Score, ScoreStats } from "@assay/schemas"
import type { GateOutcome } from "../scores/check-gates.ts"
import { type NamedScore, writtenUnit } from "../scores/list-scores.ts"

type Config = Parameters<typeof writtenUnit>[0]

/** Digits of an identity that tell scores of a report apart. */
const SHOWN_IDENTITY = 12
const KINDS = ["scored", "unreadable", "errored", "skipped"] as const

/** Renders a table for each task: every score with its interval and the counts of its rows. */
export function scoreTables(scores: readonly NamedScore[], gates: readonly GateOutcome[], config: Config): Html {
  const tasks = [...Map.groupBy(scores, ({ task }) => task)]
  const note = intervalNote(scores)
  return html`<h2>Scores</h2>
    ${tasks.length === 0 ? html`<p class="soft">Nothing was scored.</p>` : null}
    ${tasks.map(
      ([task, own]) =>
        html`<div class="card">
          ${tasks.length > 1 || task !== "default" ? html`<h3>${task}</h3>` : null}
          <table class="scores">
            <thead>
              <tr>
                <th>Score</th>
                <th class="number">Value</th>
                <th>95 % interval</th>
                <th>Rows</th>
              </tr>
            </thead>
            <tbody>
              ${own.map((one) => scoreLine(one, gates, writtenUnit(config, one)))}
            </tbody>
          </table>
        </div>`,
    )}
    ${note === undefined ? null : html`<p class="soft">${note}</p>`}
    ${scores.some(({ found }) => found.stats !== undefined) ? legend() : null}`
}

function scoreLine(one: NamedScore, gates: readonly GateOutcome[], unit: string | undefined): Html {
  const { metric, score, name, found } = one
  const { value, stats, identity } = found
  return html`<tr>
    <th>
      ${metric}${metric === score ? null : html`<small>${score}</small>`}${
        identity === undefined
          ? null
          : html`<small class="soft" title="Identity ${identity}: scores with another one measure something else"
              >${identity.slice(0, SHOWN_IDENTITY)}</small
            >`
      }
    </th>
    <td class="number">
      <b>${formatScore(value)}${unit === undefined ? "" : ` ${unit}`}</b>
      ${stats !== undefined && !stats.complete ? html`<small class="partial">partial</small>` : null}
    </td>
    <td class="plot">
      ${stats === undefined ? overAllRows(found) : intervalPlot(stats, limitOf(name, gates), { unit })}
    </td>
    <td>${stats === undefined ? null : countBar(stats)}</td>
  </tr>`
}

function overAllRows(found: Score): Html {
  const interval = scoreInterval(found)
  const range = interval === null ? "" : `${formatScore(interval.low)} to ${formatScore(interval.high)}, `
  return html`<span class="soft">${range}over all rows at once</span>`
}

/** Returns the number in the limit of the first gate on a score, or null if it has no gate. */
function limitOf(score: string, gates: readonly GateOutcome[]): number | null {
  const gate = gates.find(({ name }) => name === score)
  return gate === undefined ? null : gateTexts.numberOfLimit(gate.limit)
}

/** Renders the four counts of a score as parts of a bar and in words. */
function countBar(stats: ScoreStats): Html {
  const all = KINDS.reduce((sum, kind) => sum + stats[kind], 0)
  const there = KINDS.filter((kind) => stats[kind] > 0)
  return html`<span class="counts">
      ${there.map((kind) => html`<i class="${kind}" style="width:${((stats[kind] / all) * 100).toFixed(2)}%"></i>`)}
    </span>
    <small>${there.map((kind) => `${formatInteger(stats[kind])} ${kind}`).join(" · ") || "no rows"}</small>`
}

function legend(): Html {
  return html`<p class="legend">
    <span class="scored"><i></i>scored</span
    ><span class="unreadable"><i></i>unreadable: the judge's answer has no score</span
    ><span class="errored"><i></i>errored</span><span class="skipped"><i></i>skipped: never got to</span>
  </p>`
}

/** Renders what repeated answers to the same rows show. Returns null if each row was answered once. */
export function repeatTable(scores: readonly NamedScore[]): Html | null {
  const repeated = scores.flatMap(({ name, found }) => (found.stats?.repeats ? [{ name, ...found.stats.repeats }] : []))
  const [first] = repeated
  if (first === undefined) return null
  return html`<h2>Over ${first.repeats} repeats</h2>
    <div class="card">
      <table>
        <thead>
          <tr>
            <th>Score</th>
            <th>right (pass@1)</th>
            <th>any right (pass@k)</th>
            <th>all right (pass^k)</th>
            <th>most right</th>
            <th>rows that flip</th>
          </tr>
        </thead>
        <tbody>
          ${repeated.map(
            (one) =>
              html`<tr>
                <th>${one.name}</th>
                <td>${one.pass_at?.[0] === undefined ? "–" : formatScore(one.pass_at[0])}</td>
                <td>${formatScore(one.pass_at_k)}</td>
                <td>${formatScore(one.pass_pow_k)}</td>
                <td>${formatScore(one.majority)}</td>
                <td>${formatScore(one.flip_rate)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}
