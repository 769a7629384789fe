import { describe, expect, it } from "vitest"
import { parquetParsers, parquetToJson } from "./parquet-value.ts"

const read = (value: unknown) => parquetToJson(value, { decimals: undefined, hasExact: false })

describe("a value of Parquet", () => {
  const { timestampFromMilliseconds, timestampFromMicroseconds, timestampFromNanoseconds } = parquetParsers
  const { dateFromDays, jsonFromBytes, stringFromBytes } = parquetParsers

  it.each([
    ["a time in milliseconds", timestampFromMilliseconds?.(-1n), "1969-12-31T23:59:59.999Z"],
    ["a time in microseconds", timestampFromMicroseconds?.(1_700_000_000_123_456n), "2023-11-14T22:13:20.123456Z"],
    ["a time before 1970", timestampFromMicroseconds?.(-1n), "1969-12-31T23:59:59.999999Z"],
    ["a time in nanoseconds", timestampFromNanoseconds?.(1n), "1970-01-01T00:00:00.000000001Z"],
    ["a day", dateFromDays?.(19_675), "2023-11-14"],
    ["a day before 1970", dateFromDays?.(-1), "1969-12-31"],
    ["JSON", jsonFromBytes?.(Buffer.from('{"a":1}')), { a: 1 }],
    ["what should be JSON", jsonFromBytes?.(Buffer.from("{a}")), "{a}"],
    ["a list", [1n, [2.5], undefined], [1, [2.5], null]],
    ["a struct", { a: undefined, b: new Uint8Array([1]) }, { a: null, b: "AQ==" }],
  ])("is JSON: %s", (_name, value, json) => {
    expect(parquetToJson(value, { decimals: undefined, hasExact: false })).toEqual(json)
  })

  it("that is text has to be UTF-8", () => {
    expect(() => read([stringFromBytes?.(Buffer.from([0xff]))])).toThrow("not UTF-8")
  })

  it("keeps all digits of numbers", () => {
    const reading = { decimals: { fields: new Map([["d", { scale: 2 }]]) }, hasExact: false }
    const value = {
      a: 9007199254740993n,
      b: 18446744073709551615n,
      c: 3n,
      d: [-5n, 1250, new Uint8Array([0xff, 0x38])],
    }
    expect(JSON.stringify(parquetToJson(value, reading))).toBe(
      '{"a":9007199254740993,"b":18446744073709551615,"c":3,"d":[-0.05,12.50,-2.00]}',
    )
    expect(reading.hasExact).toBe(true)
  })

  it("that JSON has no number for is named, with its place", () => {
    expect(() => read({ a: { b: [Number.NaN] } })).toThrow("the number NaN, which JSON can't hold, in 'b'")
    expect(() => read({ a: -Infinity })).toThrow("the number -Infinity, which JSON can't hold, in 'a'")
  })
})
