import { parquetSchema, type FileMetaData, type SchemaTree } from "hyparquet"

/** The places of decimals within a value. For a list, the places within its elements. */
export interface DecimalPlaces {
  /** Number of digits after the decimal point, if the value itself is a decimal. */
  readonly scale?: number
  readonly fields?: ReadonlyMap<string, DecimalPlaces>
  /** For a map: the places within each value. */
  readonly values?: DecimalPlaces
}

/**
 * Finds the decimal columns of a file and removes their type, because the library would convert them to numbers that
 * lose digits. Without the type, it returns the stored integer.
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

/** Formats a decimal as a JSON number with all digits of its scale. */
export function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0) return `${unscaled * 10n ** BigInt(-scale)}`
  const sign = unscaled < 0n ? "-" : ""
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0")
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Returns the integer that is stored for a decimal, or undefined if the value is not one. */
export function unscaledOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value)
  if (!(value instanceof Uint8Array)) return undefined
  // Two's complement, big-endian.
  return value.length === 0 ? 0n : BigInt.asIntN(8 * value.length, BigInt(`0x${Buffer.from(value).toString("hex")}`))
}
