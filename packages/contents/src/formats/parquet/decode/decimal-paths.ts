import { parquetSchema, type FileMetaData, type SchemaTree } from "hyparquet"

/** The paths of decimals and variants within a value. For a list, the paths within its elements. */
export interface DecimalPaths {
  /** Number of digits after the decimal point, if the value itself is a decimal. */
  readonly scale?: number
  readonly fields?: ReadonlyMap<string, DecimalPaths>
  /** Whether the value is a variant, which is converted from its parts. */
  readonly isVariant?: boolean
  /** For a map: the paths within each value. */
  readonly values?: DecimalPaths
}

/**
 * Finds the decimal and variant columns of a file and removes their types, because the library would convert decimals to numbers that
 * lose digits, also within variants. Without the type, it returns what is stored.
 */
export function takeDecimals(metadata: FileMetaData): DecimalPaths | undefined {
  return pathsOf(parquetSchema(metadata))
}

function pathsOf({ element, children }: SchemaTree): DecimalPaths | undefined {
  if (element.converted_type === "DECIMAL" || element.logical_type?.type === "DECIMAL") {
    const scale = element.scale ?? (element.logical_type?.type === "DECIMAL" ? element.logical_type.scale : 0)
    delete element.converted_type
    delete element.logical_type
    return { scale }
  }
  const isVariant = element.logical_type?.type === "VARIANT"
  if (isVariant) delete element.logical_type
  const [only] = children
  if (element.converted_type === "LIST" && only !== undefined && children.length === 1) {
    const [item] = only.children
    return pathsOf(only.children.length === 1 && item !== undefined ? item : only)
  }
  if (element.converted_type === "MAP" && only?.children.length === 2) {
    const value = only.children.find((child) => child.element.name === "value")
    const values = value === undefined ? undefined : pathsOf(value)
    return values === undefined ? undefined : { values }
  }
  const fields = new Map(
    children.flatMap((child) => {
      const paths = pathsOf(child)
      return paths === undefined ? [] : [[child.element.name, paths] as const]
    }),
  )
  return isVariant ? { fields, isVariant } : fields.size === 0 ? undefined : { fields }
}
