// The phrases that only a site without a server needs, in the languages of all pages.

import { LANGUAGES, currentLanguage } from "./words.js";

const ROWS = {
  pass_to: ["Pass the device to {name}", "Gib das Gerät an {name} weiter", "把裝置交給{name}", "{name}に端末を渡してください"],
  i_am: ["I am {name}", "Ich bin {name}", "我是{name}", "{name}です"],
  starting: ["Starting …", "Startet …", "啟動中……", "起動中……"],
  ready: ["Ready", "Bereit", "就緒", "準備完了"],
  stopped: ["The rules did not answer in time ({what}). They were stopped, and the interpreter starts anew.", "Die Regeln haben zu lange nicht geantwortet ({what}). Sie wurden angehalten; der Interpreter startet neu.", "規則太久沒有回應（{what}），已停止並重新啟動。", "ルールの応答が遅すぎたため（{what}）停止し、再起動しています。"],
  failed: ["The interpreter could not start: {what}", "Der Interpreter konnte nicht starten: {what}", "無法啟動：{what}", "起動できませんでした：{what}"],
  // --- the playground ---
  game: ["Game", "Spiel", "遊戲", "ゲーム"],
  share: ["Share", "Teilen", "分享", "共有"],
  download: ["Download", "Herunterladen", "下載", "ダウンロード"],
  open_folder: ["Open a folder", "Ordner öffnen", "開啟資料夾", "フォルダーを開く"],
  new_file: ["New file", "Neue Datei", "新檔案", "新しいファイル"],
  delete_file: ["Delete file", "Datei löschen", "刪除檔案", "ファイルを削除"],
  format: ["Format", "Formatieren", "排版", "整形"],
  manual: ["Manual", "Handbuch", "手冊", "マニュアル"],
  cookbook: ["Cookbook", "Rezepte", "食譜", "レシピ集"],
  rules: ["Rules", "Regeln", "規則", "ルール"],
  files: ["Files", "Dateien", "檔案", "ファイル"],
  views: ["Views", "Ansichten", "檢視", "表示"],
  table: ["Table", "Tisch", "牌桌", "テーブル"],
  scenarios: ["Scenarios", "Szenarien", "情境", "シナリオ"],
  rulebook: ["Rulebook", "Anleitung", "規則書", "ルールブック"],
  study: ["Study", "Untersuchung", "研究", "調査"],
  what_is_wrong: ["What is wrong", "Was nicht stimmt", "問題", "問題点"],
  run_all: ["Run all", "Alle prüfen", "全部執行", "すべて実行"],
  language: ["Language", "Sprache", "語言", "言語"],
  matches: ["Matches", "Partien", "場數", "対局数"],
  players: ["Players", "Personen", "玩家人數", "人数"],
  bots: ["Bots", "Bots", "電腦", "ボット"],
  random: ["random", "zufällig", "隨機", "ランダム"],
  greedy: ["greedy", "gierig", "貪心", "貪欲"],
  play_them: ["Play them", "Spielen lassen", "開始模擬", "対局させる"],
  save_matches: ["Save the matches", "Partien speichern", "儲存對局", "対局を保存"],
  share_this: ["Share this game", "Dieses Spiel teilen", "分享這個遊戲", "このゲームを共有"],
  the_link: ["The link", "Der Link", "連結", "リンク"],
  copy: ["Copy", "Kopieren", "複製", "コピー"],
  copied: ["Copied", "Kopiert", "已複製", "コピーしました"],
  send: ["Send", "Senden", "傳送", "送る"],
  close: ["Close", "Schließen", "關閉", "閉じる"],
  goes_on: ["The match goes on by these rules.", "Die Partie geht nach diesen Regeln weiter.", "這局依新規則繼續。", "この対局は新しいルールで続きます。"],
  goes_on_from: ["By these rules the match is another one after {answers} of {of} answers; it goes on from there.", "Nach diesen Regeln ist die Partie ab der {answers}. von {of} Antworten eine andere; von dort geht sie weiter.", "依新規則，這局在 {of} 次回答中的第 {answers} 次之後不同，從那裡繼續。", "このルールでは {of} 回中 {answers} 回目の答えの後から変わるため、そこから続けます。"],
  name_of_file: ["The name of the new file, such as {name}", "Der Name der neuen Datei, etwa {name}", "新檔案的名稱，例如 {name}", "新しいファイルの名前（例：{name}）"],
  no_name: ["“{name}” cannot be a rule file: use letters, digits, _ and -, and end with .yaml", "„{name}“ kann keine Regeldatei sein: Buchstaben, Ziffern, _ und -, am Ende .yaml", "「{name}」不能作為規則檔：請用字母、數字、_ 和 -，並以 .yaml 結尾", "「{name}」はルールファイルの名前にできません。文字、数字、_、- を使い、.yaml で終えてください"],
  sure_to_delete: ["Delete {name}?", "{name} löschen?", "刪除 {name}？", "{name}を削除しますか？"],
  nothing_to_format: ["There is nothing to format.", "Es gibt nichts zu formatieren.", "沒有需要排版的內容。", "整形するものはありません。"],
  nothing_wrong: ["Nothing is wrong.", "Alles stimmt.", "沒有問題。", "問題はありません。"],
  counted: ["Errors: {errors}, warnings: {warnings}", "Fehler: {errors}, Warnungen: {warnings}", "錯誤：{errors}，警告：{warnings}", "エラー：{errors}、警告：{warnings}"],
  has_errors: ["has errors", "hat Fehler", "有錯誤", "エラーあり"],
  has_warnings: ["has warnings", "hat Warnungen", "有警告", "警告あり"],
  fix_it: ["Fix it", "Beheben", "修正", "直す"],
  hold: ["{passed} of {all} hold", "{passed} von {all} stimmen", "{all} 個中有 {passed} 個成立", "{all}件中{passed}件が成立"],
  no_scenarios: ["This game has no scenarios: add a file {name}.", "Dieses Spiel hat keine Szenarien: lege die Datei {name} an.", "這個遊戲沒有情境：請新增檔案 {name}。", "このゲームにシナリオはありません。{name} を追加してください。"],
  were_stopped: ["They did not end in time, and were stopped. Try fewer.", "Es dauerte zu lange und wurde angehalten. Versuche es mit weniger.", "太久沒有結束，已停止。請減少數量。", "時間内に終わらないため停止しました。数を減らしてください。"],
  played: ["{matches} matches in {seconds} s. A match takes {mean} answers ({lowest} to {highest}).", "{matches} Partien in {seconds} s. Eine Partie hat {mean} Antworten ({lowest} bis {highest}).", "{seconds} 秒內 {matches} 場。每場 {mean} 次回答（{lowest} 至 {highest}）。", "{seconds} 秒で {matches} 局。1局の答えは {mean} 回（{lowest}〜{highest}）。"],
  seat: ["Seat", "Platz", "座位", "席"],
  wins: ["Wins", "Siege", "勝率", "勝率"],
  score: ["Score", "Punkte", "分數", "得点"],
  from: ["from", "von", "最低", "最低"],
  to: ["to", "bis", "最高", "最高"],
  about_random: ["Bots that answer at random tell whether seats are fair and whether rules end, not how well people play.", "Bots, die zufällig antworten, zeigen, ob die Plätze gerecht sind und ob die Regeln enden, nicht, wie gut Menschen spielen.", "隨機作答的電腦能看出座位是否公平、規則是否會結束，但看不出人會玩得多好。", "ランダムに答えるボットで分かるのは、席が公平か、ルールが終わるかであり、人の腕前ではありません。"],
  no_example: ["The manual has no such example any more.", "Das Handbuch hat dieses Beispiel nicht mehr.", "手冊已沒有這個例子。", "マニュアルにこの例はもうありません。"],
  not_opened: ["This link could not be opened: {why}", "Dieser Link lässt sich nicht öffnen: {why}", "無法開啟這個連結：{why}", "このリンクを開けませんでした：{why}"],
  length: ["{n} characters. It holds the rules themselves: nothing is stored anywhere else.", "{n} Zeichen. Der Link enthält die Regeln selbst: nichts wird anderswo gespeichert.", "{n} 個字元。連結本身就是規則，其他地方不儲存任何東西。", "{n} 文字。リンク自体にルールが入っており、ほかには何も保存されません。"],
  too_long: ["Some messengers cut off links as long as this: send the folder instead.", "Manche Messenger kürzen so lange Links: verschicke besser den Ordner.", "有些通訊軟體會截斷這麼長的連結：請改傳資料夾。", "この長さのリンクを途中で切るメッセンジャーもあります。代わりにフォルダーを送ってください。"],
  // --- by letters ---
  by_letters: ["By letters …", "Per Brief …", "書信對局……", "手紙で対局……"],
  about_letters: ["Play with somebody by any messenger: you send a link to and fro, and each answer is in it.", "Spielt zu zweit über einen beliebigen Messenger: Ein Link geht hin und her, und jede Antwort steht darin.", "用任何通訊軟體和別人對局：連結一來一往，每次回答都在裡面。", "メッセンジャーで二人で遊べます。リンクを送り合い、どの答えもその中に入ります。"],
  your_name: ["Your name", "Dein Name", "你的名字", "あなたの名前"],
  make_invitation: ["Make an invitation", "Einladung schreiben", "建立邀請", "招待状を作る"],
  the_letter: ["The letter", "Der Brief", "信件", "手紙"],
  join: ["Join", "Mitspielen", "加入", "参加する"],
  first_letter: ["Send this letter to the other player. It says which game, and holds one half of the deal, sealed; the answer brings the other half.", "Schicke diesen Brief deinem Gegenüber. Er nennt das Spiel und enthält versiegelt die eine Hälfte des Zufalls; die Antwort bringt die andere.", "把這封信傳給對方。信中寫明遊戲，並封存一半的發牌；對方的回信帶來另一半。", "この手紙を相手に送ってください。どのゲームかを伝え、配りの半分を封じてあります。もう半分は返事が運びます。"],
  own_invitation: ["This is your own invitation: send it to the other player.", "Das ist deine eigene Einladung: Schicke sie deinem Gegenüber.", "這是你自己的邀請：請傳給對方。", "これはあなた自身の招待状です。相手に送ってください。"],
  invites: ["{name} invites you to play by letters.", "{name} lädt dich zu einer Partie per Brief ein.", "{name}邀請你書信對局。", "{name}さんから手紙での対局に招待されました。"],
  send_back: ["Send this letter back to {name}, who deals now.", "Schicke diesen Brief an {name} zurück; dort wird nun gegeben.", "把這封信傳回給{name}，由對方發牌。", "この手紙を{name}さんに返してください。次に配るのは{name}さんです。"],
  send_letter: ["Send this letter to {name}. It holds all answers; pages show each of you your own side, but who takes it apart can see everything.", "Schicke diesen Brief an {name}. Er enthält alle Antworten; die Seiten zeigen euch nur, was euch zusteht, aber wer ihn zerlegt, kann alles sehen.", "把這封信傳給{name}。信中有全部回答；網頁只顯示各自的一面，但拆開信的人看得到一切。", "この手紙を{name}さんに送ってください。すべての答えが入っています。ページは各自の側だけを見せますが、手紙を分解すればすべて見えます。"],
  no_letter: ["This link holds no letter, or was cut off on its way.", "Dieser Link enthält keinen Brief, oder er wurde unterwegs abgeschnitten.", "這個連結裡沒有信，或途中被截斷了。", "このリンクに手紙は入っていないか、途中で切れています。"],
  letter_of_other: ["This letter is for {name}, in the browser that made the invitation.", "Dieser Brief ist für {name}, in dem Browser, aus dem die Einladung kam.", "這封信是給{name}的，請在建立邀請的瀏覽器中開啟。", "この手紙は{name}さん宛てです。招待状を作ったブラウザーで開いてください。"],
  other_invitation: ["This letter belongs to another invitation.", "Dieser Brief gehört zu einer anderen Einladung.", "這封信屬於另一個邀請。", "この手紙は別の招待状のものです。"],
  dealt_already: ["You have dealt already: go on with the last letter.", "Du hast schon gegeben: Spiele mit dem letzten Brief weiter.", "你已經發過牌：請用最後一封信繼續。", "もう配り終えています。最後の手紙で続けてください。"],
  other_deal: ["The deal in this letter is not the one that both have made.", "In diesem Brief ist anders gegeben, als ihr es gemeinsam bestimmt habt.", "信中的發牌不是雙方共同決定的那一個。", "この手紙の配りは、二人で決めたものと違います。"],
  not_in_match: ["You do not play in this match, or you play in another browser.", "Du spielst in dieser Partie nicht mit, oder du spielst in einem anderen Browser.", "你不在這局中，或是在另一個瀏覽器進行。", "あなたはこの対局の参加者でないか、別のブラウザーで遊んでいます。"],
  answers_for_you: ["This letter has answers of yours that you have not given.", "Dieser Brief enthält Antworten von dir, die du nicht gegeben hast.", "這封信裡有你沒作過的回答。", "この手紙には、あなたが出していない答えが入っています。"],
  takes_back: ["This letter takes back answers that you have seen. Your own match is kept as it was; ask for another letter.", "Dieser Brief nimmt Antworten zurück, die du schon gesehen hast. Deine Partie bleibt, wie sie war; bitte um einen anderen Brief.", "這封信收回了你看過的回答。你的對局維持原樣；請對方重寄一封。", "この手紙は、あなたが見た答えを取り消しています。対局はそのまま残ります。別の手紙を頼んでください。"],
  not_allowed: ["The rules do not allow what is in this letter. Your own match is kept as it was; ask for another letter.", "Was in diesem Brief steht, lassen die Regeln nicht zu. Deine Partie bleibt, wie sie war; bitte um einen anderen Brief.", "規則不允許這封信的內容。你的對局維持原樣；請對方重寄一封。", "この手紙の内容はルール上できません。対局はそのまま残ります。別の手紙を頼んでください。"],
  // --- links ---
  no_game_in_link: ["it holds no game, or was cut off on its way", "er enthält kein Spiel oder wurde unterwegs abgeschnitten", "裡面沒有遊戲，或途中被截斷了", "ゲームが入っていないか、途中で切れています"],
  no_changes_in_link: ["it holds no changes, or was cut off on its way", "er enthält keine Änderungen oder wurde unterwegs abgeschnitten", "裡面沒有修改，或途中被截斷了", "変更が入っていないか、途中で切れています"],
  file_gone: ["{name} is no longer a file of this game, so its changes are left out.", "{name} gehört nicht mehr zu diesem Spiel; die Änderungen daran fallen weg.", "{name} 已不是這個遊戲的檔案，略過它的修改。", "{name} はもうこのゲームのファイルではないため、その変更は省きます。"],
  all_fit: ["{name} is not what it was when the link was made; all changes still fit.", "{name} hat sich geändert, seit der Link entstand; alle Änderungen passen noch.", "{name} 在建立連結後已改變；所有修改仍然適用。", "{name} はリンクを作った後に変わりましたが、変更はすべて当てはまります。"],
  some_fit: ["{name} is not what it was when the link was made; {fit} of {all} changes still fit.", "{name} hat sich geändert, seit der Link entstand; {fit} von {all} Änderungen passen noch.", "{name} 在建立連結後已改變；{all} 項修改中有 {fit} 項仍然適用。", "{name} はリンクを作った後に変わりました。変更 {all} 件中 {fit} 件が当てはまります。"],
  has_no_place: ["{name}, formerly line {line}: {text}", "{name}, vormals Zeile {line}: {text}", "{name}，原第 {line} 行：{text}", "{name}、元の {line} 行目：{text}"],
  lines_that_go: ["lines that go", "Zeilen, die wegfallen", "要刪除的行", "削除される行"],
  the_text: ["The text of the file", "Der Text der Datei", "檔案內容", "ファイルの内容"],
  what_they_make: ["What the rules make", "Was aus den Regeln wird", "規則的成果", "ルールからできるもの"],
};

export function arranged(key, values = {}) {
  const row = ROWS[key];
  return row[Math.max(0, LANGUAGES.indexOf(currentLanguage()))].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Puts the phrases of the chosen language into a page: texts by `data-say`, names by `data-name`, titles by `data-titled`. */
export function translate(root = document) {
  for (const one of root.querySelectorAll("[data-say]")) one.textContent = arranged(one.dataset.say);
  for (const one of root.querySelectorAll("[data-name]")) one.setAttribute("aria-label", arranged(one.dataset.name));
  for (const one of root.querySelectorAll("[data-titled]")) one.title = arranged(one.dataset.titled);
  document.documentElement.lang = currentLanguage();
}
