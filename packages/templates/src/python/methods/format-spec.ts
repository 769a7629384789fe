import { boundedText } from "../values/bounds.ts"
import { pythonNumber } from "../values/python-numbers.ts"
import { representationOf, pythonText } from "../values/python-text.ts"
import { codePointCount, fail, isDict, isKind, type PythonValue, sliceText } from "../values/python-value.ts"

const SPEC = /^(?:(.)?([<>^=]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su
const MAX_PRECISION = 100

/** Formats a value as Python's `format(value, spec)`. */
export function formatSpec(value: PythonValue, spec: string): string {
  if (spec === "") return pythonText(value)
  const found = SPEC.exec(spec) ?? fail(`the format '${spec}' is not known`)
  const [, fillGiven, alignGiven, sign = "-", , zero, width = "0", group, precision, type] = found
  const isText = pythonNumber(value) === undefined || (typeof value === "boolean" && type === undefined)
  const text = isText ? cutText(value, precision) : signed(value, { sign, group, precision, type })
  const fill = fillGiven ?? (zero === undefined ? " " : "0")
  const align = alignGiven ?? (zero !== undefined && !isText ? "=" : isText ? "<" : ">")
  return aligned(text, { fill, align, width: Number(width) })
}

function cutText(value: PythonValue, precision: string | undefined): string {
  const text = pythonText(value)
  return precision === undefined ? text : sliceText(text, 0, Number(precision))
}

interface NumberFormat {
  readonly sign: string
  readonly group?: string | undefined
  readonly precision: string | undefined
  readonly type: string | undefined
}

function signed(value: PythonValue, { sign, group, precision, type }: NumberFormat): string {
  const number = pythonNumber(value) ?? 0n
  const isNegative = number < 0 || Object.is(number, -0)
  const digits = digitsOf(isNegative ? -number : number, type, precision)
  const [whole = "", rest] = digits.split(/(?=[.e%])/, 2)
  const grouped = group === undefined ? digits : whole.replaceAll(/\B(?=(\d{3})+$)/g, group) + (rest ?? "")
  return (isNegative ? "-" : sign === "-" ? "" : sign) + grouped
}

function digitsOf(number: bigint | number, type: string | undefined, precision: string | undefined): string {
  const decimals = Number(precision ?? 6)
  if (decimals > MAX_PRECISION) return fail(`a precision of ${decimals} is too large`)
  switch (type) {
    case "f":
    case "F":
      return Number(number).toFixed(decimals)
    case "%":
      return `${(Number(number) * 100).toFixed(decimals)}%`
    case "e":
      return Number(number)
        .toExponential(decimals)
        .replace(/e([-+])(\d)$/, "e$10$2")
    case "x":
      return BigInt(number).toString(16)
    case "X":
      return BigInt(number).toString(16).toUpperCase()
    case "o":
      return BigInt(number).toString(8)
    case "b":
      return BigInt(number).toString(2)
    case "g":
      return Number(Number(number).toPrecision(decimals || 1)).toString()
    case "d":
      return typeof number === "bigint" ? number.toString() : fail("the format 'd' needs an integer")
    case undefined:
      return precision === undefined ? pythonText(number) : Number(Number(number).toPrecision(decimals || 1)).toString()
    default:
      return fail(`the format '${type}' is not known`)
  }
}

interface Alignment {
  readonly fill: string
  readonly align: string
  readonly width: number
}

function aligned(text: string, { fill, align, width }: Alignment): string {
  const missing = width - codePointCount(text)
  if (missing <= 0) return text
  boundedText("", missing)
  if (align === "=") {
    const sign = /^[-+ ]/.exec(text)?.[0] ?? ""
    return sign + fill.repeat(missing) + text.slice(sign.length)
  }
  const before = align === "<" ? 0 : align === ">" ? missing : Math.floor(missing / 2)
  return fill.repeat(before) + text + fill.repeat(missing - before)
}

const PERCENT = /%(?:\((\w+)\))?([-+ 0#]*)(\d+)?(?:\.(\d+))?([diouxXeEfFgGcrsa%])|%/g

/** Does the same as Python's `text % values`. */
export function formatPercent(text: string, values: PythonValue): string {
  const items = isKind(values, "tuple") ? values.items : [values]
  let next = 0
  const result = text.replaceAll(
    PERCENT,
    (whole: string, ...[key, flags = "", width = "", precision, type = ""]: (string | undefined)[]) => {
      if (type === "%") return "%"
      if (type === "") return fail(`the format '${whole}' is not known`)
      const value = key === undefined ? items[next++] : isDict(values) ? values.get(key) : undefined
      if (value === undefined) return fail("not enough arguments for format string")
      return formatOne(value, { flags, width, precision, type })
    },
  )
  if (next < items.length && !isDict(values)) fail("not all arguments converted during string formatting")
  return result
}

interface PercentFormat {
  readonly flags: string
  readonly width: string
  readonly precision: string | undefined
  readonly type: string
}

function formatOne(value: PythonValue, { flags, width, precision, type }: PercentFormat): string {
  const align = flags.includes("-") ? "<" : ">"
  if ("sra".includes(type)) {
    const text = cutText(type === "s" ? value : representationOf(value), precision)
    return aligned(text, { fill: " ", align, width: Number(width) })
  }
  const isWhole = "diu".includes(type)
  const sign = flags.includes("+") ? "+" : flags.includes(" ") ? " " : "-"
  const number = isWhole ? wholeNumber(value) : value
  const text = signed(number, { sign, precision: isWhole ? undefined : precision, type: isWhole ? "d" : type })
  const isZero = flags.includes("0") && align === ">"
  return aligned(text, { fill: isZero ? "0" : " ", align: isZero ? "=" : align, width: Number(width) })
}

function wholeNumber(value: PythonValue): PythonValue {
  const number = pythonNumber(value)
  if (number === undefined) return fail("%d format: a number is required")
  return typeof number === "bigint" ? number : BigInt(Math.trunc(number))
}
