/** Characters that look like a Latin letter and that NFKC does not change, by letter. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: "аαɑᴀꓮᗩꭺ",
  b: "вьʙꓐᗷ",
  c: "сϲᴄꓚᑕꮯ",
  d: "ԁᴅꓓᗪꭰ",
  e: "еєɛᴇεҽꓰᗴꭼ",
  f: "ꜰƒғϝꓝᖴ",
  g: "ɡɢꓖ",
  h: "һнʜհꓧᕼꮋ",
  i: "іιıɪꓲ",
  k: "кκᴋꓗꮶ",
  l: "ӏʟꓡᒪꮮ",
  m: "мᴍꓟᗰꮇ",
  n: "пոɴηꓠᑎղ",
  o: "оοᴏσօꓳ",
  p: "рρᴘꓑᑭꮲ",
  r: "гʀꓣᖇ",
  s: "ѕꜱꓢᔕꮪ",
  t: "тτᴛꓔꭲ",
  u: "υцսᴜμʋꓴᑌ",
  v: "νѵᴠꓦᐯꮩ",
  x: "хχꓫ",
  y: "уγʏүўꓬꭹ",
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz"
/** First characters of the alphabets in circles, in squares, and of flag letters. */
const ENCLOSED = [0x1_f1_50, 0x1_f1_70, 0x1_f1_e6] as const

/** Digits and signs that replace a letter inside a word. */
export const LETTER_SIGNS: Readonly<Record<string, string>> = { "@": "a", 4: "a", 3: "e", 0: "o", 5: "s", $: "s" }

/** The lower-case letter that a reader sees in a character. */
export const CONFUSABLES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LOOKS_LIKE).flatMap(([letter, signs]) => Array.from(signs, (sign) => [sign, letter] as const)),
  ...ENCLOSED.flatMap((first) =>
    Array.from(LETTERS, (letter, at) => [String.fromCodePoint(first + at), letter] as const),
  ),
])

/** The named entities that can change the reading of an answer. Numeric entities are decoded by rule. */
export const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  QUOT: '"',
  apos: "'",
  lt: "<",
  LT: "<",
  gt: ">",
  GT: ">",
  amp: "&",
  AMP: "&",
  nbsp: " ",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  Tab: "\t",
  NewLine: "\n",
  colon: ":",
  comma: ",",
  semi: ";",
  period: ".",
  equals: "=",
  lbrace: "{",
  lcub: "{",
  rbrace: "}",
  rcub: "}",
  lbrack: "[",
  lsqb: "[",
  rbrack: "]",
  rsqb: "]",
  ldquo: '"',
  rdquo: '"',
  lsquo: "'",
  rsquo: "'",
  laquo: '"',
  raquo: '"',
  shy: "",
  zwj: "",
  zwnj: "",
  lrm: "",
  rlm: "",
  ZeroWidthSpace: "",
}
