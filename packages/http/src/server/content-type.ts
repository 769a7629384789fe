/** The type of bytes that nothing is known about. Programs keep them, and browsers save them. */
const BYTES = "application/octet-stream"
const TEXT = "text/plain; charset=utf-8"

/** Types by the end of a name. Files that a browser could run, such as HTML, SVG and scripts, are shown as text. */
const TYPES: Readonly<Record<string, string>> = {
  ...ofAll(
    "bash bat c cc cfg conf cpp css cu go h hpp htm html ini java jinja jinja2 js log mjs py r rb rs rst sh sql svg tex toml ts tsx txt vue xhtml xml xsl",
    TEXT,
  ),
  ...ofAll("md markdown", "text/markdown; charset=utf-8"),
  ...ofAll("jsonl ndjson", "application/x-ndjson"),
  ...ofAll("json ipynb webmanifest", "application/json"),
  ...ofAll("yaml yml", "application/yaml"),
  csv: "text/csv; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  arrow: "application/vnd.apache.arrow.file",
  parquet: "application/vnd.apache.parquet",
  pdf: "application/pdf",
  gz: "application/gzip",
  tar: "application/x-tar",
  zip: "application/zip",
  zst: "application/zstd",
  avif: "image/avif",
  bmp: "image/bmp",
  gif: "image/gif",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  tif: "image/tiff",
  tiff: "image/tiff",
  webp: "image/webp",
  flac: "audio/flac",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  wav: "audio/wav",
  mov: "video/quicktime",
  mp4: "video/mp4",
  webm: "video/webm",
}

function ofAll(ends: string, type: string): Record<string, string> {
  return Object.fromEntries(ends.split(" ").map((end) => [end, type]))
}

/** Returns the `Content-Type` of a file by the end of its name. No browser runs a file of these types. */
export function contentTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1)
  const end = name.slice(name.lastIndexOf(".") + 1).toLowerCase()
  return name.includes(".") && Object.hasOwn(TYPES, end) ? (TYPES[end] ?? BYTES) : BYTES
}
