/** How much of a value is read: all of it, or these properties alone. */
export type ReadShape = "whole" | ReadonlyMap<string, ReadShape>

/** What `paths` read of the values, by name. A path reads all that is below its end. */
export function readShapes(paths: readonly (readonly string[])[]): ReadonlyMap<string, ReadShape> {
  const shapes = new Map<string, ReadShape>()
  for (const [name = "", own] of Map.groupBy(paths, ([name]) => name)) {
    const below = own.map((path) => path.slice(1))
    shapes.set(name, below.some((path) => path.length === 0) ? "whole" : readShapes(below))
  }
  return shapes
}
