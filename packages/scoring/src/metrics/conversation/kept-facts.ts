import type { BoundMetric, ScoreInput } from "../bound-metric.ts"
import { type MetricDefinition, plainMetric } from "../metric-definition.ts"

/**
 * Returns the metrics of a conversation whose simulated user has a judge: `user`, with the score `kept_facts`, and the others, which have no score
 * if the user broke its facts. That is its own failure, not one of the target.
 */
export function withKeptFacts(metrics: readonly MetricDefinition[], run: MetricRun): readonly MetricDefinition[] {
  const user = plainMetric(
    { key: "user", type: "kept-facts", params: {}, name: "user", run },
    {
      scores: ["kept_facts"],
      ranges: { kept_facts: [0, 1] },
      templates: [],
      score({ sample: { user } }) {
        if (user?.kept_facts === undefined) return { scores: {} }
        if (user.kept_facts !== null) return { scores: { kept_facts: user.kept_facts ? 1 : 0 } }
        return { scores: { kept_facts: "NaN" }, unreadable: { reason: "no_verdict", raw: user.verdict ?? "" } }
      },
    },
  )
  return [user, ...metrics.map(ifKept)]
}

type MetricRun = Parameters<typeof plainMetric>[0]["run"]

function ifKept(metric: MetricDefinition): MetricDefinition {
  return {
    ...metric,
    async bind(context) {
      const { createCorpusScores, ...bound } = await metric.bind(context)
      return {
        ...bound,
        // Scores over all answers at once would count conversations that have no score.
        ...(createCorpusScores === undefined ? {} : { scores: withoutCorpus(bound.scores, createCorpusScores()) }),
        score: (input, options) => (isBroken(input) ? { scores: {} } : bound.score(input, options)),
      }
    },
  }
}

function isBroken({ sample }: ScoreInput): boolean {
  return sample.user?.kept_facts === false
}

function withoutCorpus(scores: BoundMetric["scores"], corpus: object): BoundMetric["scores"] {
  return scores.filter((name) => !Object.hasOwn(corpus, name))
}
