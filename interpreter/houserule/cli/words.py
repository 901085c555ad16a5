"""What the terminal says to players, in each language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

WORDS: Mapping[str, Mapping[str, str]] = {
    # the table
    "table": {"en": "the table", "de": "der Tisch", "zh-Hant": "桌面", "ja": "テーブル"},
    "you": {"en": "{player} (you)", "de": "{player} (du)", "zh-Hant": "{player}（你）", "ja": "{player}（あなた）"},
    "bot": {"en": "{player} (bot)", "de": "{player} (Bot)", "zh-Hant": "{player}（電腦）", "ja": "{player}（ボット）"},
    "unseen": {
        "en": "{number} unseen",
        "de": "{number} verdeckt",
        "zh-Hant": "{number} 張未知",
        "ja": "非公開 {number}",
    },
    "seed": {
        "en": "{players} · seed {seed}",
        "de": "{players} · Startwert {seed}",
        "zh-Hant": "{players} · 種子 {seed}",
        "ja": "{players} · シード {seed}",
    },
    "keys": {
        "en": "? for help, ? NAME for the text of a card, t for the table, q to leave",
        "de": "? für Hilfe, ? NAME für den Text einer Karte, t für den Tisch, q zum Aufhören",
        "zh-Hant": "? 說明，? 名稱 顯示卡片文字，t 顯示桌面，q 離開",
        "ja": "? ヘルプ、? 名前 カードの文章、t テーブル表示、q 終了",
    },
    "help": {
        "en": """Type the number of an option, its name, or the beginning of its name.
To take several, type numbers or names separated by commas; to take none, type nothing.
  t   show the table again
  q   leave; the match is saved, and `houserule play` with its file continues it
  ?   show this help; `? NAME` shows the text of a card or other thing with that name,
      and `? 1` the text of the first option""",
        "de": """Tippe die Nummer einer Möglichkeit, ihren Namen oder den Anfang des Namens.
Wo mehrere genommen werden dürfen: Nummern oder Namen mit Kommas dazwischen; nichts für keine.
  t   den Tisch noch einmal zeigen
  q   aufhören; die Partie wird gespeichert, und `houserule play` mit ihrer Datei setzt sie fort
  ?   diese Hilfe; mit einem Namen dahinter, also `? NAME`, was auf der Karte oder dergleichen mit diesem Namen steht;
      mit der Nummer einer Möglichkeit, also `? 1`, was zu ihr steht""",
        "zh-Hant": """輸入選項的號碼、名稱，或名稱的開頭。
可選多項時，以逗號分隔號碼或名稱；什麼都不選就直接按 Enter。
  t   再次顯示桌面
  q   離開；對局會存檔，之後以 `houserule play` 加檔名繼續
  ?   本說明；後面加上名稱（`? 名稱`）或選項的號碼（`? 1`）會顯示該卡片等的文字""",
        "ja": """選択肢の番号、名前、または名前の先頭を入力してください。
複数選べるときは、番号か名前をコンマで区切ります。何も選ばないときは Enter だけを押します。
  t   テーブルをもう一度表示
  q   終了。対局は保存され、`houserule play` にファイル名を付けると再開できます
  ?   このヘルプ。後ろに名前を付けると（`? 名前`）、または選択肢の番号を付けると（`? 1`）、そのカードなどの文章を表示""",
    },
    "nothing_about": {
        "en": "nothing called '{text}' has a text",
        "de": "auf nichts, was „{text}“ heißt, steht ein Text",
        "zh-Hant": "沒有名為「{text}」且附有文字的東西",
        "ja": "「{text}」という名前で文章のあるものはありません",
    },
    "nothing_on": {
        "en": "{number} is '{label}', which has no text",
        "de": "{number} ist „{label}“; dazu gibt es keinen Text",
        "zh-Hant": "{number} 是「{label}」，沒有相關的文字",
        "ja": "{number} は「{label}」です。文章はありません",
    },
    # questions
    "choose": {"en": "Choose", "de": "Wähle", "zh-Hant": "請選擇", "ja": "選んでください"},
    "first": {"en": "Who is first?", "de": "Wer ist am schnellsten?", "zh-Hant": "誰最快？", "ja": "一番早いのは？"},
    "take": {"en": "take {amount}", "de": "nimm {amount}", "zh-Hant": "選 {amount} 個", "ja": "{amount} 個選ぶ"},
    "from_to": {"en": "{low} to {high}", "de": "{low} bis {high}", "zh-Hant": "{low} 到 {high}", "ja": "{low}～{high}"},
    "up_to": {"en": "up to {high}", "de": "höchstens {high}", "zh-Hant": "最多 {high}", "ja": "最大 {high}"},
    "more": {
        "en": "… and {number} more: type the beginning of a name",
        "de": "… und {number} weitere: tippe den Anfang eines Namens",
        "zh-Hant": "……還有 {number} 個：請輸入名稱的開頭",
        "ja": "…ほか {number} 個：名前の先頭を入力してください",
    },
    # what fits no option
    "empty": {
        "en": "type a number, or the beginning of an option",
        "de": "tippe eine Nummer oder den Anfang einer Möglichkeit",
        "zh-Hant": "請輸入號碼，或選項的開頭",
        "ja": "番号か、選択肢の先頭を入力してください",
    },
    "twice": {
        "en": "'{label}' is there twice",
        "de": "„{label}“ steht zweimal da",
        "zh-Hant": "「{label}」重複了",
        "ja": "「{label}」が二度あります",
    },
    "amount": {
        "en": "take {amount}, not {number}",
        "de": "nimm {amount}, nicht {number}",
        "zh-Hant": "要選 {amount} 個，不是 {number} 個",
        "ja": "{amount} 個選びます。{number} 個ではありません",
    },
    "no_number": {
        "en": "there is no option {number}; the options are 1 to {last}",
        "de": "es gibt keine Möglichkeit {number}: sie gehen von 1 bis {last}",
        "zh-Hant": "沒有選項 {number}：號碼是 1 到 {last}",
        "ja": "選択肢 {number} はありません。1～{last} です",
    },
    "alike": {
        "en": "there are {number} options '{label}': type the number",
        "de": "„{label}“ gibt es {number}-mal: tippe die Nummer",
        "zh-Hant": "「{label}」有 {number} 個：請輸入號碼",
        "ja": "「{label}」は {number} 個あります。番号を入力してください",
    },
    "unclear": {
        "en": "'{text}' could be {labels}",
        "de": "„{text}“ kann {labels} sein",
        "zh-Hant": "「{text}」可能是 {labels}",
        "ja": "「{text}」は {labels} のどれでしょうか",
    },
    "or": {"en": " or ", "de": " oder ", "zh-Hant": "、", "ja": "、"},
    "another": {"en": "another", "de": "etwas anderes", "zh-Hant": "其他", "ja": "ほか"},
    "no_such": {
        "en": "no option begins with '{text}'",
        "de": "keine Möglichkeit beginnt mit „{text}“",
        "zh-Hant": "沒有以「{text}」開頭的選項",
        "ja": "「{text}」で始まる選択肢はありません",
    },
    # several people at one keyboard
    "give": {
        "en": "Press Enter, and hand the keyboard to {player}. ",
        "de": "Drücke Enter und gib {player} die Tastatur. ",
        "zh-Hant": "請按 Enter，再把鍵盤交給 {player}。",
        "ja": "Enter を押して、キーボードを {player} に渡してください。",
    },
    "given": {
        "en": "{player}, press Enter when nobody else is looking. ",
        "de": "{player}, drücke Enter, wenn niemand sonst hinsieht. ",
        "zh-Hant": "{player}，沒有別人在看時請按 Enter。",
        "ja": "{player} さん、ほかの人が見ていなければ Enter を押してください。",
    },
    "has_to": {
        "en": "{player} (has to)",
        "de": "{player} (muss)",
        "zh-Hant": "{player}（必須）",
        "ja": "{player}（必須）",
    },
    "fastest": {
        "en": "fastest first (numbers or names; leave empty for nobody) > ",
        "de": "die Schnellsten zuerst (Nummern oder Namen; nichts: niemand) > ",
        "zh-Hant": "由快到慢（號碼或名字；留空：沒有人）> ",
        "ja": "早い順に（番号か名前、空なら誰もいない）> ",
    },
    "nobody_so": {
        "en": "'{text}' is not one of them",
        "de": "„{text}“ ist niemand von ihnen",
        "zh-Hant": "其中沒有「{text}」",
        "ja": "「{text}」はこの中にいません",
    },
    "who": {
        "en": "'{text}' is ambiguous",
        "de": "„{text}“ ist nicht eindeutig",
        "zh-Hant": "「{text}」不明確",
        "ja": "「{text}」だけでは決まりません",
    },
    "must_touch": {
        "en": "{players} must touch",
        "de": "{players} muss zugreifen",
        "zh-Hant": "{players} 必須出手",
        "ja": "{players} は必ず取ります",
    },
    # the end
    "sheet": {"en": "Score sheet", "de": "Wertung", "zh-Hant": "計分表", "ja": "得点表"},
    "total": {"en": "Total", "de": "Summe", "zh-Hant": "總分", "ja": "合計"},
    "nobody_wins": {
        "en": "Nobody wins.",
        "de": "Niemand gewinnt.",
        "zh-Hant": "沒有人獲勝。",
        "ja": "勝者はいません。",
    },
    "wins": {
        "en": "{player} wins.",
        "de": "{player} gewinnt.",
        "zh-Hant": "{player} 獲勝。",
        "ja": "{player} の勝ちです。",
    },
    "share": {
        "en": "{players} share the win.",
        "de": "{players} teilen sich den Sieg.",
        "zh-Hant": "{players} 共享勝利。",
        "ja": "{players} の引き分け勝利です。",
    },
    "and": {"en": " and ", "de": " und ", "zh-Hant": "和", "ja": "と"},
    "comma": {"en": ", ", "de": ", ", "zh-Hant": "、", "ja": "、"},
    # the record
    "kept": {
        "en": "The record of the match is in {file}: houserule replay {words}",
        "de": "Die Partie steht in {file}: houserule replay {words}",
        "zh-Hant": "對局紀錄存於 {file}：houserule replay {words}",
        "ja": "対局の記録は {file} にあります：houserule replay {words}",
    },
    "kept_so_far": {
        "en": "The record of the match so far is in {file}: houserule play {words}",
        "de": "Die Partie bis hierher steht in {file}: houserule play {words}",
        "zh-Hant": "目前的對局紀錄存於 {file}：houserule play {words}",
        "ja": "ここまでの対局の記録は {file} にあります：houserule play {words}",
    },
    "ends_here": {
        "en": "The record ends here, before the end of the match. Next to choose: {players}.",
        "de": "Hier endet die Aufzeichnung, vor dem Ende der Partie; {players} ist an der Reihe.",
        "zh-Hant": "紀錄到此為止，對局尚未結束；輪到 {players} 選擇。",
        "ja": "記録はここまでで、対局は終わっていません。{players} が選ぶ番です。",
    },
    "goes_on": {
        "en": "houserule play {file} continues from here.",
        "de": "houserule play {file} spielt von hier weiter.",
        "zh-Hant": "houserule play {file} 可從這裡繼續。",
        "ja": "houserule play {file} でここから再開できます。",
    },
}
"""A row for each phrase; games in other languages get English."""


def say(language: str, key: str, **values: object) -> str:
    """A phrase with its values; in English if it is not translated."""
    row = WORDS[key]
    return row.get(language, row["en"]).format(**values)


def listed(language: str, names: Sequence[str]) -> str:
    """Names as a person lists them: `Maya, Margot and Maurice`."""
    if len(names) < 2:
        return "".join(names)
    return say(language, "comma").join(names[:-1]) + say(language, "and") + names[-1]
