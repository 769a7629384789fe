import { parquetSchema, type FileMetaData, type SchemaTree } from "hyparquet"

/** Where decimals are within a value; lists are those of their elements. */
export interface DecimalPlaces {
  /** Digits behind the point, of a value that is one. */
  readonly scale?: number
  readonly fields?: ReadonlyMap<string, DecimalPlaces>
  /** Of a map: those of each value. */
  readonly values?: DecimalPlaces
}

/**
 * Finds the decimals of a file, and takes their type away from them: the library would make numbers of them that lose digits. Without
 * it, it gives the whole number that is stored.
 */
export function takeDecimals(metadata: FileMetaData): DecimalPlaces | undefined {
  return placesOf(parquetSchema(metadata))
}

function placesOf({ element, children }: SchemaTree): DecimalPlaces | undefined {
  if (element.converted_type === "DECIMAL" || element.logical_type?.type === "DECIMAL") {
    const scale = element.scale ?? (element.logical_type?.type === "DECIMAL" ? element.logical_type.scale : 0)
    delete element.converted_type
    delete element.logical_type
    return { scale }
  }
  const [only] = children
  if (element.converted_type === "LIST" && only !== undefined && children.length === 1) {
    const [item] = only.children
    return placesOf(only.children.length === 1 && item !== undefined ? item : only)
  }
  if (element.converted_type === "MAP" && only?.children.length === 2) {
    const value = only.children.find((child) => child.element.name === "value")
    const values = value === undefined ? undefined : placesOf(value)
    return values === undefined ? undefined : { values }
  }
  const fields = new Map(
    children.flatMap((child) => {
      const places = placesOf(child)
      return places === undefined ? [] : [[child.element.name, places] as const]
    }),
  )
  return fields.size === 0 ? undefined : { fields }
}

/** The text of a decimal as JSON writes it, with all the digits behind its point. */
export function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0) return `${unscaled * 10n ** BigInt(-scale)}`
  const sign = unscaled < 0n ? "-" : ""
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0")
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The whole number that is stored for a decimal; undefined where it is none. */
export function unscaledOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value)
  if (!(value instanceof Uint8Array)) return undefined
  // Two's complement, the highest byte first.
  return value.length === 0 ? 0n : BigInt.asIntN(8 * value.length, BigInt(`0x${Buffer.from(value).toString("hex")}`))
}
