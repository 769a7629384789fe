/**
 * Names of columns by purpose, in the order in which they are preferred: English, then the languages in which most datasets are published. Without
 * accents, because names are compared without them.
 */
export const COLUMN_NAMES = {
  question: [
    ..."question prompt input query message messages text instruction".split(" "),
    ..."frage eingabe pregunta entrada requete pergunta domanda vraag pytanie otazka soru fraga sporsmal kysymys kerdes".split(
      " ",
    ),
    ..."вопрос питання 问题 問題 提问 質問 질문 سؤال प्रश्न câu_hỏi pertanyaan".split(" "),
  ],
  expected: [
    ..."answer expected reference ideal target label ground_truth solution correct expected_output gold".split(" "),
    ..."antwort erwartet loesung losung musterantwort musterlosung respuesta esperado reponse attendu resposta risposta atteso antwoord verwacht".split(
      " ",
    ),
    ..."odpowiedz odpoved cevap svar vastaus valasz ответ ожидаемый відповідь 答案 回答 标准答案 正解 答え 정답 답변 جواب إجابة उत्तर jawaban".split(
      " ",
    ),
  ],
  output: [
    ..."output response answer_given completion prediction generated model_output".split(" "),
    ..."ausgabe modellantwort salida sortie saida uitvoer 输出 出力 출력".split(" "),
  ],
} as const

/** Returns a name for comparison: in lower case, without accents, with words that are separated by `_`. */
export function bareName(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, "_")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
}
