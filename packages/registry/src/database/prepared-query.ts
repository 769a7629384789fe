import { sql, type CompiledQuery, type RawBuilder } from "kysely"

export type SlotValues = Readonly<Record<string, string | number>>

/** A compiled query. Compiling a query costs about as much as running it. */
export interface PreparedQuery<Result> {
  run(values?: SlotValues): Promise<Result>
}

interface Slot {
  readonly slot: string
}

/** Returns a parameter of a prepared query that gets its value at each run. */
export function slot<T extends string | number>(name: string): RawBuilder<T> {
  const marker: Slot = { slot: name }
  return sql<T>`${marker}`
}

/** Returns a compiled query with the values of its slots. */
export function fillSlots<Row>(query: CompiledQuery<Row>, values: SlotValues): CompiledQuery<Row> {
  const fill = (parameter: unknown) => (isSlot(parameter) ? valueOf(parameter, values) : parameter)
  return { ...query, parameters: query.parameters.map(fill) }
}

function isSlot(parameter: unknown): parameter is Slot {
  return typeof parameter === "object" && parameter !== null && "slot" in parameter
}

function valueOf({ slot }: Slot, values: SlotValues): string | number {
  const value = values[slot]
  if (value === undefined) throw new TypeError(`The query's slot '${slot}' has no value.`)
  return value
}
