import { isObject } from "@assay/json"
import { parquetSchema, type FileMetaData, type SchemaElement, type SchemaTree } from "hyparquet"
import { ParquetFault } from "../parquet-fault.ts"

/** The type of a value that is converted here and not by the library, and the types within it. For a list, those of its elements. */
export interface KeptTypes {
  /** Number of digits after the decimal point, if the value itself is a decimal. */
  readonly scale?: number
  /** Number of digits of a second, if the value is a time of day. */
  readonly timeDigits?: number
  /** Whether the value is an interval of months, days and milliseconds. */
  readonly isInterval?: boolean
  readonly fields?: ReadonlyMap<string, KeptTypes>
  /** Whether the value is a variant, which is converted from its parts. */
  readonly isVariant?: boolean
  /** For a map: where its entries are. */
  readonly entries?: MapEntries
}

/** A map is read as a struct with one field, a list of structs with a key and a value. */
interface MapEntries {
  readonly group: string
  readonly key: MapPart
  readonly value: MapPart
}

interface MapPart {
  readonly name: string
  readonly types: KeptTypes | undefined
}

/** Replaces the name `__proto__`, because the library assigns columns to objects by their names. */
const PROTO_NAME = "\u0000__proto__"

/** Returns the name of a column or field from its name in the library. */
export function nameOfField(name: string): string {
  return name === PROTO_NAME ? "__proto__" : name
}

/**
 * Finds the values that the library would change, and removes their types. Without the type, it returns what is stored. It would convert
 * decimals to numbers that lose digits, times of day to numbers without a unit, and maps to objects in which keys are lost. It refuses
 * intervals.
 * @throws `ParquetFault` if two columns have one name
 */
export function takeTypes(metadata: FileMetaData): KeptTypes | undefined {
  for (const element of metadata.schema) element.name = storedName(element.name)
  for (const { meta_data: column } of metadata.row_groups.flatMap(({ columns }) => columns)) {
    if (column !== undefined) column.path_in_schema = column.path_in_schema.map(storedName)
  }
  return typesOf(parquetSchema(metadata))
}

interface MapEntry {
  readonly key: unknown
  readonly value: unknown
}

/** Lists the entries of a map as the library read them. */
export function listEntries(map: unknown, { group, key, value }: MapEntries): readonly MapEntry[] {
  const stored: unknown = isObject(map) ? map[group] : undefined
  if (!Array.isArray(stored)) return []
  return stored.map((entry: unknown) => {
    const parts = isObject(entry) ? entry : {}
    return { key: parts[key.name], value: parts[value.name] }
  })
}

function storedName(name: string): string {
  return name === "__proto__" ? PROTO_NAME : name
}

function typesOf({ element, children }: SchemaTree): KeptTypes | undefined {
  const scalar = scalarOf(element)
  if (scalar !== undefined) {
    delete element.converted_type
    delete element.logical_type
    return scalar
  }
  checkNames(children)
  const isVariant = element.logical_type?.type === "VARIANT"
  if (isVariant) delete element.logical_type
  const [only] = children
  if (element.converted_type === "LIST" && only !== undefined && children.length === 1) {
    const [item] = only.children
    return typesOf(only.children.length === 1 && item !== undefined ? item : only)
  }
  const entries = entriesOf({ element, children })
  if (entries !== undefined) {
    delete element.converted_type
    delete element.logical_type
    return { entries }
  }
  const fields = new Map(
    children.flatMap((child) => {
      const types = typesOf(child)
      return types === undefined ? [] : [[child.element.name, types] as const]
    }),
  )
  return isVariant ? { fields, isVariant } : fields.size === 0 ? undefined : { fields }
}

function scalarOf({ converted_type: converted, logical_type: logical, scale }: SchemaElement): KeptTypes | undefined {
  if (converted === "DECIMAL") return { scale: scale ?? 0 }
  if (logical?.type === "DECIMAL") return { scale: scale ?? logical.scale }
  if (converted === "INTERVAL") return { isInterval: true }
  if (converted === "TIME_MILLIS") return { timeDigits: 3 }
  if (converted === "TIME_MICROS") return { timeDigits: 6 }
  if (logical?.type !== "TIME") return undefined
  return { timeDigits: logical.unit === "MILLIS" ? 3 : logical.unit === "MICROS" ? 6 : 9 }
}

function entriesOf({ element, children }: Pick<SchemaTree, "element" | "children">): MapEntries | undefined {
  if (element.converted_type !== "MAP" && element.logical_type?.type !== "MAP") return undefined
  const [group, ...others] = children
  if (group === undefined || others.length > 0 || group.element.repetition_type !== "REPEATED") return undefined
  const [key, value, ...more] = group.children
  if (key === undefined || value === undefined || more.length > 0) return undefined
  const part = (child: SchemaTree) => ({ name: child.element.name, types: typesOf(child) })
  return { group: group.element.name, key: part(key), value: part(value) }
}

function checkNames(children: readonly SchemaTree[]): void {
  const names = new Set<string>()
  for (const { element } of children) {
    if (names.has(element.name)) {
      throw new ParquetFault(`it has two columns with the name '${nameOfField(element.name)}'; rename one of them`)
    }
    names.add(element.name)
  }
}
