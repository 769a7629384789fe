import type { FrameSizes } from "./segments.ts"

/**
 * Groups contents of a journal so that each group has its facts in its last one, as `writeSegments` wrote them. Contents without facts that
 * follow each other are one group.
 * @param factsOf returns the sizes of the facts of a segment; undefined if there are none
 */
export function groupSegments<T>(
  contents: readonly T[],
  factsOf: (content: T) => FrameSizes | undefined,
): readonly (readonly T[])[] {
  const groups: T[][] = []
  let previous: FrameSizes | undefined | null = null
  for (const content of contents) {
    const facts = factsOf(content)
    const isOpen = previous !== null && (previous === undefined) === (facts === undefined) && (previous?.[1] ?? 0) === 0
    if (isOpen) groups.at(-1)?.push(content)
    else groups.push([content])
    previous = facts
  }
  return groups
}
