import { describe, expect, it } from "vitest"
import { parquetParsers, parquetToJson } from "./parquet-value.ts"
import { listLostNumbers } from "./lost-numbers.ts"

const read = (value: unknown, reading = { types: undefined, hasExact: false, hasLost: false }) =>
  parquetToJson(value, reading)

describe("a Parquet value", () => {
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
  ])("is converted to JSON: %s", (_name, value, json) => {
    expect(read(value)).toEqual(json)
  })

  it("must be UTF-8 if it is text", () => {
    expect(() => read([stringFromBytes?.(Buffer.from([0xff]))])).toThrow("not UTF-8")
  })

  it("keeps all digits of numbers", () => {
    const reading = { types: { fields: new Map([["d", { scale: 2 }]]) }, hasExact: false, hasLost: false }
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

  it("becomes null and is named with its location if JSON can't represent it", () => {
    const reading = { types: undefined, hasExact: false, hasLost: false }
    const row = { a: { "b/c": [1, Number.NaN] }, "d~": -Infinity, e: new Uint8Array([0]) }
    expect(read(row, reading)).toEqual({ a: { "b/c": [1, null] }, "d~": null, e: "AA==" })
    expect(reading.hasLost).toBe(true)
    expect(listLostNumbers(row)).toEqual([
      { pointer: "/a/b~1c/1", message: "is NaN, which JSON can't represent; it is read as null" },
      { pointer: "/d~0", message: "is -Infinity, which JSON can't represent; it is read as null" },
    ])
    expect(listLostNumbers(Array.from({ length: 1000 }, () => Number.NaN))).toHaveLength(10)
  })
})
