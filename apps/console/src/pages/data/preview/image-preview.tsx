import { formatBytes } from "@assay/reports"
import { useState, type ReactElement } from "react"
import type { FileInfo } from "@assay/schemas"

/** Larger pictures are not loaded: the browser would decode all of it. */
const MAX_IMAGE = 16_777_216

/** Shows a picture from the address of the file, where the server allows no other type of content. */
export function ImagePreview({ file: { path, size, file_url } }: { readonly file: FileInfo }): ReactElement {
  const [state, setState] = useState<"loading" | "failed" | { readonly width: number; readonly height: number }>(
    "loading",
  )
  if (size > MAX_IMAGE) return <p className="soft">The picture has {formatBytes(size)}. Download it to see it.</p>
  if (state === "failed") return <p className="soft">The browser can't draw this picture. Download it to open it.</p>
  return (
    <figure className="file-image">
      <img
        src={file_url}
        alt={path}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setState({ width, height })}
        onError={() => setState("failed")}
      />
      <figcaption className="soft">
        {state === "loading" ? "Loading …" : `${state.width} × ${state.height} pixels, ${formatBytes(size)}`}
      </figcaption>
    </figure>
  )
}
