"""The phrases of the terminal, in each language."""

from __future__ import annotations

from houserule.telling.phrases import PHRASES, Row, spoken

SAID: dict[str, Row] = {
    # the table
    "table": ("the table", "der Tisch", "桌面", "テーブル"),
    "you": ("{player} (you)", "{player} (du)", "{player}（你）", "{player}（あなた）"),
    "bot": ("{player} (bot)", "{player} (Bot)", "{player}（電腦）", "{player}（ボット）"),
    "unseen": ("{number} unseen", "{number} verdeckt", "{number} 張未知", "非公開 {number}"),
    "seed": (
        "{players} · seed {seed}",
        "{players} · Startwert {seed}",
        "{players} · 種子 {seed}",
        "{players} · シード {seed}",
    ),
    "keys": (
        "? for help, ? NAME for the text of a card, t for the table, undo, rules, q to leave",
        "? für Hilfe, ? NAME für den Text einer Karte, t für den Tisch, undo, rules, q zum Aufhören",
        "? 說明，? 名稱 顯示卡片文字，t 顯示桌面，undo，rules，q 離開",
        "? ヘルプ、? 名前 カードの文章、t テーブル表示、undo、rules、q 終了",
    ),
    "help": (
        """Type the number of an option, its name, or the beginning of its name.
To take several, type numbers or names separated by commas; to take none, type nothing.
  t   show the table again; * marks what has changed since your last answer
  undo    take your last answer back, as long as nothing hidden has been revealed
  rules   show the rules; `why` says which rule asks, `why PATH` which file made a value
  q   leave; the match is saved, and `houserule play` with its file continues it
  ?   show this help; `? NAME` shows the text of a card or other thing with that name,
      and `? 1` the text of the first option""",
        """Tippe die Nummer einer Möglichkeit, ihren Namen oder den Anfang des Namens.
Wo mehrere genommen werden dürfen: Nummern oder Namen mit Kommas dazwischen; nichts für keine.
  t   den Tisch noch einmal zeigen; * ist, was sich seit deiner letzten Antwort geändert hat
  undo    deine letzte Antwort zurücknehmen, solange nichts Verdecktes ans Licht gekommen ist
  rules   die Regeln zeigen; `why` sagt, welche Regel fragt, `why PFAD`, welche Datei einen Wert bestimmt
  q   aufhören; die Partie wird gespeichert, und `houserule play` mit ihrer Datei setzt sie fort
  ?   diese Hilfe; mit einem Namen dahinter, also `? NAME`, was auf der Karte oder dergleichen mit diesem Namen steht;
      mit der Nummer einer Möglichkeit, also `? 1`, was zu ihr steht""",
        """輸入選項的號碼、名稱，或名稱的開頭。
可選多項時，以逗號分隔號碼或名稱；什麼都不選就直接按 Enter。
  t   再次顯示桌面；* 表示你上次回答之後改變的東西
  undo    收回上一個回答（只要沒有隱藏的東西被看見）
  rules   顯示規則；`why` 說明是哪條規則在詢問，`why 路徑` 說明數值出自哪個檔案
  q   離開；對局會存檔，之後以 `houserule play` 加檔名繼續
  ?   本說明；後面加上名稱（`? 名稱`）或選項的號碼（`? 1`）會顯示該卡片等的文字""",
        """選択肢の番号、名前、または名前の先頭を入力してください。
複数選べるときは、番号か名前をコンマで区切ります。何も選ばないときは Enter だけを押します。
  t   テーブルをもう一度表示（* は前回の回答から変わったもの）
  undo    直前の回答を取り消す（隠れたものが明らかになっていない間だけ）
  rules   ルールを表示。`why` はどのルールが尋ねているか、`why パス` は値がどのファイルのものかを示します
  q   終了。対局は保存され、`houserule play` にファイル名を付けると再開できます
  ?   このヘルプ。後ろに名前を付けると（`? 名前`）、または選択肢の番号を付けると（`? 1`）、そのカードなどの文章を表示""",
    ),
    "undone": (
        "The last answer is taken back.",
        "Die letzte Antwort ist zurückgenommen.",
        "已收回上一個回答。",
        "直前の回答を取り消しました。",
    ),
    "not_undone": (
        "it cannot be taken back: chance was used, something was revealed, or a bot has answered since",
        "das geht nicht mehr zurück: Der Zufall war im Spiel, etwas kam ans Licht, oder ein Bot hat geantwortet",
        "無法收回：之後用到了隨機、有東西被看見，或電腦已經回答",
        "取り消せません。その後に乱数が使われたか、何かが明らかになったか、ボットが回答しました",
    ),
    "nothing_undone": (
        "there is no answer to take back",
        "es gibt keine Antwort, die man zurücknehmen könnte",
        "沒有可以收回的回答",
        "取り消せる回答はありません",
    ),
    "asked_at": (
        "{file}, line {line} asks this. `why PATH` says what made a value, such as `why options`.",
        "Das fragt {file}, Zeile {line}. `why PFAD` sagt, woher ein Wert kommt.",
        "由 {file} 第 {line} 行詢問。`why 路徑` 說明數值的出處。",
        "{file} の {line} 行目が尋ねています。`why パス` は値の出どころを示します。",
    ),
    "race_ready": (
        "A race: after the countdown, press Enter to touch. Press Enter when you are ready. ",
        "Ein Wettlauf: Nach dem Herunterzählen Enter drücken, um zuzugreifen. Enter, wenn du bereit bist. ",
        "比快：倒數結束後按 Enter 出手。準備好請按 Enter。",
        "競争です。カウントダウンの後に Enter で取ります。準備ができたら Enter を押してください。",
    ),
    "race_now": ("  NOW!", "  JETZT!", "  現在！", "  今！"),
    "race_took": (
        "You took {seconds} seconds.",
        "Du hast {seconds} Sekunden gebraucht.",
        "你用了 {seconds} 秒。",
        "{seconds} 秒でした。",
    ),
    "nothing_about": (
        "nothing called '{text}' has a text",
        "auf nichts, was „{text}“ heißt, steht ein Text",
        "沒有名為「{text}」且附有文字的東西",
        "「{text}」という名前で文章のあるものはありません",
    ),
    "nothing_on": (
        "{number} is '{label}', which has no text",
        "{number} ist „{label}“; dazu gibt es keinen Text",
        "{number} 是「{label}」，沒有相關的文字",
        "{number} は「{label}」です。文章はありません",
    ),
    # questions
    "choose": ("Choose", "Wähle", "請選擇", "選んでください"),
    "first": ("Who is first?", "Wer ist am schnellsten?", "誰最快？", "一番早いのは？"),
    "take": ("take {amount}", "nimm {amount}", "選 {amount} 個", "{amount} 個選ぶ"),
    "from_to": ("{low} to {high}", "{low} bis {high}", "{low} 到 {high}", "{low}～{high}"),
    "up_to": ("up to {high}", "höchstens {high}", "最多 {high}", "最大 {high}"),
    "more": (
        "… and {number} more: type the beginning of a name",
        "… und {number} weitere: tippe den Anfang eines Namens",
        "……還有 {number} 個：請輸入名稱的開頭",
        "…ほか {number} 個：名前の先頭を入力してください",
    ),
    # unmatched input
    "empty": (
        "type a number, or the beginning of an option",
        "tippe eine Nummer oder den Anfang einer Möglichkeit",
        "請輸入號碼，或選項的開頭",
        "番号か、選択肢の先頭を入力してください",
    ),
    "twice": (
        "'{label}' is named twice",
        "„{label}“ steht zweimal da",
        "「{label}」重複了",
        "「{label}」が二度あります",
    ),
    "amount": (
        "take {amount}, not {number}",
        "nimm {amount}, nicht {number}",
        "要選 {amount} 個，不是 {number} 個",
        "{amount} 個選びます。{number} 個ではありません",
    ),
    "no_number": (
        "there is no option {number}; the options are 1 to {last}",
        "es gibt keine Möglichkeit {number}: sie gehen von 1 bis {last}",
        "沒有選項 {number}：號碼是 1 到 {last}",
        "選択肢 {number} はありません。1～{last} です",
    ),
    "alike": (
        "there are {number} options '{label}': type the number",
        "„{label}“ gibt es {number}-mal: tippe die Nummer",
        "「{label}」有 {number} 個：請輸入號碼",
        "「{label}」は {number} 個あります。番号を入力してください",
    ),
    "unclear": (
        "'{text}' could be {labels}",
        "„{text}“ kann {labels} sein",
        "「{text}」可能是 {labels}",
        "「{text}」は {labels} のどれでしょうか",
    ),
    "or": (" or ", " oder ", "、", "、"),
    "another": ("another", "etwas anderes", "其他", "ほか"),
    "no_such": (
        "no option begins with '{text}'",
        "keine Möglichkeit beginnt mit „{text}“",
        "沒有以「{text}」開頭的選項",
        "「{text}」で始まる選択肢はありません",
    ),
    # several people at one keyboard
    "give": (
        "Press Enter, and hand the keyboard to {player}. ",
        "Drücke Enter und gib {player} die Tastatur. ",
        "請按 Enter，再把鍵盤交給 {player}。",
        "Enter を押して、キーボードを {player} に渡してください。",
    ),
    "given": (
        "{player}, press Enter when nobody else is looking. ",
        "{player}, drücke Enter, wenn niemand sonst hinsieht. ",
        "{player}，沒有別人在看時請按 Enter。",
        "{player} さん、ほかの人が見ていなければ Enter を押してください。",
    ),
    "has_to": ("{player} (has to)", "{player} (muss)", "{player}（必須）", "{player}（必須）"),
    "fastest": (
        "fastest first (numbers or names; leave empty for nobody) > ",
        "die Schnellsten zuerst (Nummern oder Namen; nichts: niemand) > ",
        "由快到慢（號碼或名字；留空：沒有人）> ",
        "早い順に（番号か名前、空なら誰もいない）> ",
    ),
    "nobody_so": (
        "'{text}' is not one of them",
        "„{text}“ ist niemand von ihnen",
        "其中沒有「{text}」",
        "「{text}」はこの中にいません",
    ),
    "who": (
        "'{text}' is ambiguous",
        "„{text}“ ist nicht eindeutig",
        "「{text}」不明確",
        "「{text}」だけでは決まりません",
    ),
    "must_touch": (
        "{players} must touch",
        "{players} muss zugreifen",
        "{players} 必須出手",
        "{players} は必ず取ります",
    ),
    # the end
    "sheet": ("Score sheet", "Wertung", "計分表", "得点表"),
    "out": ("{player} (out)", "{player} (ausgeschieden)", "{player}（出局）", "{player}（脱落）"),
    "total": ("Total", "Summe", "總分", "合計"),
    "nobody_wins": ("Nobody wins.", "Niemand gewinnt.", "沒有人獲勝。", "勝者はいません。"),
    "wins": ("{player} wins.", "{player} gewinnt.", "{player} 獲勝。", "{player} の勝ちです。"),
    "share": (
        "{players} share the win.",
        "{players} teilen sich den Sieg.",
        "{players} 共享勝利。",
        "{players} の引き分け勝利です。",
    ),
    "all_win": ("All win together.", "Alle gewinnen gemeinsam.", "所有玩家共同獲勝。", "全員の勝利です。"),
    "all_lose": ("All have lost.", "Alle haben verloren.", "所有玩家都輸了。", "全員の敗北です。"),
    "draw": (
        "A draw: nobody wins.",
        "Unentschieden: Niemand gewinnt.",
        "平手：沒有人獲勝。",
        "引き分けです。勝者はいません。",
    ),
    # the record
    "kept": (
        "The record of the match is in {file}: houserule replay {words}",
        "Die Partie steht in {file}: houserule replay {words}",
        "對局紀錄存於 {file}：houserule replay {words}",
        "対局の記録は {file} にあります：houserule replay {words}",
    ),
    "kept_so_far": (
        "The record of the match so far is in {file}: houserule play {words}",
        "Die Partie bis hierher steht in {file}: houserule play {words}",
        "目前的對局紀錄存於 {file}：houserule play {words}",
        "ここまでの対局の記録は {file} にあります：houserule play {words}",
    ),
    "thinks": (
        "{player} is still thinking. Ctrl-C leaves the match and keeps its record.",
        "{player} denkt noch nach. Strg-C verlässt die Partie; ihre Aufzeichnung bleibt.",
        "{player} 還在思考。按 Ctrl-C 可離開對局，紀錄會保留。",
        "{player} はまだ考えています。Ctrl-C で対局を離れても、記録は残ります。",
    ),
    "ends_here": (
        "The record ends here, before the end of the match. Next to choose: {players}.",
        "Hier endet die Aufzeichnung, vor dem Ende der Partie; {players} ist an der Reihe.",
        "紀錄到此為止，對局尚未結束；輪到 {players} 選擇。",
        "記録はここまでで、対局は終わっていません。{players} が選ぶ番です。",
    ),
    "goes_on": (
        "houserule play {file} continues from here.",
        "houserule play {file} spielt von hier weiter.",
        "houserule play {file} 可從這裡繼續。",
        "houserule play {file} でここから再開できます。",
    ),
}
"""A row for each phrase, in the order of the languages."""


def say(language: str, key: str, /, **values: object) -> str:
    """A phrase of the terminal or the interpreter with its values; in English if neither has the language."""
    return spoken(SAID.get(key) or PHRASES[key], language, values)
