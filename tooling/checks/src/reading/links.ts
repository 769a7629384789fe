import { posix } from "node:path"

/** Returns the targets of the relative links of a Markdown text: paths from the root of the repository, with an anchor if there is one. */
export function relativeLinks(path: string, text: string): readonly string[] {
  const prose = withoutCode(text)
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => (target.startsWith("#") ? path + target : posix.join(posix.dirname(path), target)))
}

/** Returns the anchors of a Markdown text, as hosting sites create them from its headings. */
export function anchors(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/^#+ +(.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  )
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, "")
}
