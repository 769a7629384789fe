import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"

/** A dataset that a job reads, and where it is named. */
export interface NamedDataset {
  readonly dataset: unknown
  /** `target.cached_outputs`, `config.tasks.qa.dataset`, …; one at least. */
  readonly places: readonly string[]
}

/** Every dataset that target and configuration name, once. That a needed one is missing is for the shape to tell. */
export function findDatasets(target: EvaluationTargetBody, config: EvaluationConfigBody): readonly NamedDataset[] {
  const named: (readonly [unknown, string])[] = [
    [target.type === "cached_outputs" ? target.cached_outputs : undefined, "target.cached_outputs"],
    [target.type === "dataset" ? target.dataset : undefined, "target.dataset"],
    ...Object.entries(config.tasks ?? {}).map(
      ([name, { dataset }]) => [dataset, `config.tasks.${name}.dataset`] as const,
    ),
  ]
  const found = new Map<string, { dataset: unknown; places: string[] }>()
  for (const [dataset, place] of named) {
    if (dataset === undefined) continue
    const key = JSON.stringify(dataset)
    const known = found.get(key)
    if (known === undefined) found.set(key, { dataset, places: [place] })
    else known.places.push(place)
  }
  return [...found.values()]
}
