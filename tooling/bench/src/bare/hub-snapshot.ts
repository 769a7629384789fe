// Downloads a repository with @huggingface/hub. Arguments: address of the hub, repository, folder, and `cache` for
// snapshotDownload into a cache, or `folder` for plain files, 16 at a time.
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import process from "node:process"
import { downloadFile, listFiles, snapshotDownload } from "@huggingface/hub"
import { forEachParallel } from "@assay/storage"

const [hubUrl = "", repo = "", folder = "", layout = "cache"] = process.argv.slice(2)
if (layout === "cache") {
  await snapshotDownload({ repo, hubUrl, cacheDir: folder })
} else {
  const made = new Set<string>()
  await forEachParallel(listFiles({ repo, hubUrl, recursive: true }), 16, async ({ type, path }) => {
    if (type !== "file") return
    const blob = await downloadFile({ repo, hubUrl, path })
    if (blob === null) throw new Error(`${path} does not exist`)
    const parent = join(folder, dirname(path))
    if (!made.has(parent)) await mkdir(parent, { recursive: true })
    made.add(parent)
    await writeFile(join(folder, path), new Uint8Array(await blob.arrayBuffer()))
  })
}
