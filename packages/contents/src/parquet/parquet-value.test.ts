import { describe, expect, it } from "vitest"
import { parquetParsers, parquetToJson } from "./parquet-value.ts"

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
    ["a list", [1n, [NaN], undefined], [1, [null], null]],
    ["a struct", { a: undefined, b: new Uint8Array([1]) }, { a: null, b: "AQ==" }],
  ])("is JSON: %s", (_name, value, json) => {
    expect(parquetToJson(value)).toEqual(json)
  })

  it("that is text has to be UTF-8", () => {
    expect(() => parquetToJson([stringFromBytes?.(Buffer.from([0xff]))])).toThrow("not UTF-8")
  })
})
