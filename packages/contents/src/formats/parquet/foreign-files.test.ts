import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { makeRowFolder, rowsOf } from "../../testing/row-folder.ts"

const FILES = join(import.meta.dirname, "../../testing/parquet-files")

async function read(name: string) {
  const { storage } = await makeRowFolder({ "a.parquet": await readFile(join(FILES, `${name}.parquet`)) })
  return (await rowsOf(storage, "a.parquet")).map(({ row, fault }) => fault ?? row)
}

describe("a Parquet file that other readers accept", () => {
  it.each<[string, string, readonly unknown[]]>([
    [
      "whose footer counts 0 rows",
      "repeated_no_annotation",
      [
        { id: 1, phoneNumbers: null },
        { id: 2, phoneNumbers: null },
        { id: 3, phoneNumbers: { phone: [] } },
        { id: 4, phoneNumbers: { phone: [{ number: 5_555_555_555, kind: null }] } },
        { id: 5, phoneNumbers: { phone: [{ number: 1_111_111_111, kind: "home" }] } },
        {
          id: 6,
          phoneNumbers: {
            phone: [
              { number: 1_111_111_111, kind: "home" },
              { number: 2_222_222_222, kind: null },
              { number: 3_333_333_333, kind: "mobile" },
            ],
          },
        },
      ],
    ],
    ["with a compressed page of no bytes", "datapage_v2_empty_datapage.snappy", [{ value: null }]],
    [
      "with a row whose only column is null",
      "hyparquet_struct",
      [
        { person: { name: "Ada", address: { city: "London" } } },
        { person: null },
        { person: { name: "Ben", address: null } },
        { person: { name: "Cara", address: { city: null } } },
      ],
    ],
    ["with bytes in a typed variant", "variant-binary", [{ id: 1, var: "CgsMDQ==" }]],
    [
      "with a variant that is stored in parts",
      "variant-object",
      [{ id: 1, var: { d: "2024-01-30", a: null, b: "iceberg" } }],
    ],
  ])("has its rows: %s", verifies("contents.rows.formats"), async (_what, name, rows) => {
    expect(await read(name)).toEqual(rows)
  })

  it("has all rows if its writer did not count the header of a dictionary", async () => {
    const rows = await read("nation.dict-malformed")
    expect(rows).toHaveLength(25)
    expect(rows[24]).toMatchObject({ nation_key: 24, name: Buffer.from("UNITED STATES").toString("base64") })
  })

  it("keeps all digits of decimals in variants", verifies("contents.rows.numbers"), async () => {
    expect(JSON.stringify(await read("variant-decimal4"))).toBe('[{"id":1,"var":12345.6789}]')
    expect(JSON.stringify(await read("variant-decimal16"))).toBe('[{"id":1,"var":-9876543210.123456789}]')
  })

  it("has all keys of maps, and columns of every name", async () => {
    const rows = await read("pyarrow-maps")
    const [first] = rows
    expect(JSON.stringify(first)).toBe(
      '{"m":{"__proto__":1.5,"x/y":null},"k":{"{\\"a\\":1}":1,"{\\"a\\":2}":2},"__proto__":1}',
    )
    expect(rows.slice(1)).toEqual([
      expect.objectContaining({ m: {}, k: {} }),
      expect.objectContaining({ m: null, k: null }),
    ])
  })
})

describe("a file that is not Parquet", () => {
  const cut = Buffer.from("PAR1 and the first bytes of rows")
  it.each<[string, Buffer, string]>([
    ["the rest of a download", cut, "it begins with PAR1 and does not end with it, so its end is missing"],
    ["CSV", Buffer.from("id,name\n1,a\n"), "it is not Parquet: it neither begins nor ends with PAR1"],
    ["Arrow", Buffer.from("ARROW1\0\0 and more"), "it is an Arrow or Feather file; write it as Parquet"],
    ["JSON", Buffer.from('{"id": 1}\n'), "it is JSON; rename it to .jsonl"],
    ["encrypted", Buffer.from("PAR1....PARE"), "its footer is encrypted; write it without encryption"],
  ])("says what it is: %s", async (_what, bytes, fault) => {
    const { storage } = await makeRowFolder({ "a.parquet": bytes })
    const [row] = await rowsOf(storage, "a.parquet")
    expect(row?.fault).toContain(`can't be read: ${fault}`)
  })
})
