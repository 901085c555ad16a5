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
};

export function arranged(key, values = {}) {
  const row = ROWS[key];
  return row[Math.max(0, LANGUAGES.indexOf(currentLanguage()))].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Puts the phrases of the chosen language into a page: texts by `data-say`, names by `data-name`. */
export function translate(root = document) {
  for (const one of root.querySelectorAll("[data-say]")) one.textContent = arranged(one.dataset.say);
  for (const one of root.querySelectorAll("[data-name]")) one.setAttribute("aria-label", arranged(one.dataset.name));
  document.documentElement.lang = currentLanguage();
}
