import type { YesNoWords } from "../families/read-yes-or-no.ts"

/**
 * Words for yes and no in several languages, in lower case. The prompt of a self-check can be in any of them; no other family reads
 * these words. A word that means yes in one language and no in another is left out.
 */
export const YES_NO_WORDS: YesNoWords = {
  ...answers("yes", "yes ja oui sí si sim tak da ano áno evet kyllä igen jah jā taip po ya có bəli ndiyo"),
  ...answers("yes", "да так ναι نعم أجل بله हाँ हां জি হ্যাঁ ஆம் అవును ஆமாம் כן はい 是 是的 对 對 예 네 ใช่ այո კი"),
  ...answers("no", "no nein non não nao nie ne nej nee nei ei nem nu hayır hayir tidak không khong hindi hapana"),
  ...answers("no", "нет ні не όχι لا خیر नहीं না இல்லை కాదు לא いいえ いえ 否 不 不是 아니요 아니오 아뇨 ไม่ ոչ არა"),
}

function answers(meaning: "yes" | "no", words: string): YesNoWords {
  return Object.fromEntries(words.split(" ").map((word) => [word.normalize("NFKC"), meaning]))
}
