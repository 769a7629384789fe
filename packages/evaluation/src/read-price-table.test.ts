import { mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readPrices } from "./read-price-table.ts"

it("prices are read from the file that the setting names, or refused at their line", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-prices-"))
  const read = (text: string) => {
    writeFileSync(join(folder.path, "prices.yaml"), text)
    return readPrices("prices.yaml", folder.path)
  }
  const model = "{model: gpt-*, prompt_price: 2.5, completion_price: 10}"
  expect(await read(`currency: USD\nmodels:\n  - ${model}\n`)).toEqual({
    currency: "USD",
    models: [{ model: "gpt-*", prompt_price: 2.5, completion_price: 10 }],
  })
  await expect(read(`currency: USD\nmodels:\n  - ${model.replace("2.5", "-1")}\n`)).rejects.toMatchObject({
    code: "bad_settings",
    message: expect.stringMatching(/^prices\.yaml:3:\d+: 'models\.0\.prompt_price': Expected number/u),
  })
  await expect(read("currency: [")).rejects.toMatchObject({ code: "bad_settings" })
  await expect(readPrices("none.yaml", folder.path)).rejects.toThrow(/ASSAY_PRICES_FILE.*none\.yaml/u)
  expect(await readPrices(undefined, folder.path)).toBeUndefined()
})
