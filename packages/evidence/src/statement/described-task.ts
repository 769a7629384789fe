import type { storedRows } from "@assay/evaluation"

/** A task without texts, with what its numbers depend on. */
export type DescribedTask = ReturnType<typeof storedRows.describe>
