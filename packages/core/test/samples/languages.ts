/** Sentences in many languages, written for these tests. */
export const languages: Readonly<Record<string, string>> = {
  english: `The harbour was quiet when the first ferry left, and nobody on the pier looked up from the morning paper. She had
promised to bring the drawings back before Thursday, but the rain kept the whole crew indoors for nearly a week. Whoever wrote
this manual assumed that the reader already owns a lathe, a vice and an unreasonable amount of patience. We don't expect the
migration to finish tonight; it's slower than last year's, and the backups haven't been verified yet. If the kettle whistles
twice, turn off the gas, open the window and call your uncle. Nineteen of the twenty-two apprentices passed the examination.`,
  german: `Die Straßenbahnhaltestelle wurde wegen umfangreicher Bauarbeiten vorübergehend an die Kreuzung verlegt. Unsere
Softwareentwicklungsabteilung hat die Benutzeroberflächenübersetzung endlich abgeschlossen. Der Grundstücksverkehrsgenehmigungs-
zuständigkeitsbescheid liegt noch beim Amt, weil die Unterlagen unvollständig waren. Früher hätte man für diese Strecke zwei Tage
gebraucht, heute genügen wenige Stunden. Bitte überprüfen Sie die Wärmerückgewinnungsanlage vor dem Winter.`,
  finnish: `Huomenna lähdemme mökille, vaikka sääennuste lupaa räntäsadetta ja kovaa pohjoistuulta. Ohjelmistokehittäjät
keskustelivat käyttöliittymäsuunnittelusta aamupäivän ajan eivätkä päässeet yksimielisyyteen. Naapurin vanha polkupyörä löytyi
lopulta kirjaston takapihalta lumikinoksen alta. Järjestelmänvalvojan täytyy hyväksyä muutokset ennen julkaisua. Kaupungintalon
edustalla järjestettiin perinteinen syysmarkkinatapahtuma.`,
  french: `Le boulanger du coin ferme désormais à midi, car son apprenti prépare un concours à Besançon. Nous n'avons jamais
compris pourquoi l'ascenseur s'arrêtait entre deux étages les jours de pluie. Les élèves ont présenté leurs découvertes devant une
assemblée plutôt bienveillante. Où qu'elle aille, elle emporte ce carnet déchiré et trois crayons. L'hôtel a été rénové l'été dernier.`,
  spanish: `El jardinero encontró una llave oxidada debajo del limonero y nadie supo decirle de qué puerta era. Mañana
revisaremos la configuración del servidor, aunque el año pasado ya hubo problemas parecidos. ¿Quién dejó abierta la ventana del
pasillo? Después de la tormenta, los niños corrieron hacia el río para ver cuánto había crecido. Las señoras bailaban sin música.`,
  polish: `Wczoraj wieczorem ktoś zostawił przed drzwiami skrzynkę dojrzałych śliwek i krótką wiadomość. Programiści źle
oszacowali czas potrzebny na przebudowę całego modułu. Jeżeli zdążymy na pociąg, będziemy w Gdańsku przed północą. Gęś
przeszła przez ścieżkę, zupełnie nie zważając na rowerzystów. Później okazało się, że żółta teczka leżała na półce.`,
  turkish: `Dün akşam komşumuzun köpeği bahçe kapısını açıp sokağa kaçmış. Yazılım ekibimiz güncellemeyi önümüzdeki haftaya
ertelemek zorunda kaldı. Küçük kız, ağacın altında bulduğu gümüş düğmeyi annesine gösterdi. Görüşmeler uzadıkça herkesin sabrı
tükeniyordu. İstasyona vardığımızda tren çoktan kalkmıştı, üstelik yağmur da şiddetlenmişti.`,
  vietnamese: `Sáng nay cô giáo dẫn cả lớp ra bờ hồ để vẽ những chiếc thuyền nhỏ đang đậu gần cầu. Nhóm phát triển phần mềm
quyết định hoãn bản phát hành vì còn nhiều lỗi chưa được sửa. Ông cụ bán báo ở đầu ngõ kể rằng mùa lũ năm ấy nước dâng đến tận mái
nhà. Nếu trời không mưa, chúng tôi sẽ đạp xe lên đồi ngắm hoàng hôn. Quyển sổ màu xanh bị bỏ quên trên ghế xe buýt.`,
  russian: `Утром почтальон принёс письмо без обратного адреса и долго не мог решить, кому его отдать. Разработчики переписали
модуль авторизации, однако старые тесты по-прежнему падали на сервере сборки. Бабушка говорила, что настоящий хлеб пекут только
ночью, пока все спят. Если завтра не будет дождя, мы поедем на озеро ловить рыбу. В коридоре кто-то тихо играл на скрипке.`,
  ukrainian: `Учора ввечері сусід приніс кошик груш і попросив позичити йому драбину до суботи. Команда розробників знайшла
помилку в обчисленні знижок лише після третьої перевірки. Їжак повільно перейшов стежку, не звертаючи уваги на дітей. Якщо потяг
не запізниться, ми встигнемо на вечірню виставу. Бібліотека зачинена через ремонт опалення.`,
  greek: `Το πρωί ο ψαράς βρήκε στο δίχτυ του ένα παλιό ρολόι που δούλευε ακόμα. Η ομάδα ανάπτυξης ανέβαλε την κυκλοφορία της νέας
έκδοσης επειδή οι έλεγχοι απέτυχαν. Αν φυσήξει βοριάς, το καράβι δεν θα φύγει πριν από το μεσημέρι. Η γιαγιά κρατούσε τα γράμματα
σε ένα μεταλλικό κουτί κάτω από τη σκάλα. Κανείς δεν θυμάται ποιος φύτεψε την ελιά στην αυλή.`,
  hebrew: `הבוקר מצא השומר מטרייה אדומה על ספסל בגן ולא ידע למי להחזיר אותה. צוות הפיתוח דחה את הגרסה החדשה משום שהבדיקות נכשלו שוב.
אם לא ירד גשם, ניסע מחר לים עם הילדים. סבתא שמרה את המכתבים בקופסה מתחת למיטה. אף אחד לא זוכר מי נטע את העץ הזה בחצר.`,
  arabic: `وجد الحارس في الصباح مظلة حمراء على مقعد الحديقة ولم يعرف لمن يعيدها. أجّل فريق التطوير إصدار النسخة الجديدة لأن الاختبارات
فشلت مرة أخرى. إذا لم تمطر السماء غدا فسوف نذهب إلى البحر مع الأطفال. احتفظت الجدة بالرسائل القديمة في صندوق تحت السرير. لا أحد
يتذكر من زرع شجرة الزيتون في ساحة المدرسة.`,
  persian: `صبح امروز نگهبان باغ چتر سرخی روی نیمکت پیدا کرد و نمی‌دانست آن را به چه کسی پس بدهد. گروه برنامه‌نویسی انتشار نسخهٔ تازه
را عقب انداخت چون آزمون‌ها دوباره شکست خوردند. اگر فردا باران نبارد با بچه‌ها به کنار دریا می‌رویم. مادربزرگ نامه‌های قدیمی را در جعبه‌ای زیر تخت نگه می‌داشت.`,
  hindi: `आज सुबह माली को बगीचे की बेंच पर एक लाल छाता मिला और वह समझ नहीं पाया कि किसे लौटाए। विकास दल ने नया संस्करण टाल दिया क्योंकि परीक्षण
फिर से विफल हो गए। अगर कल बारिश नहीं हुई तो हम बच्चों के साथ नदी किनारे जाएँगे। दादी पुरानी चिट्ठियाँ पलंग के नीचे एक डिब्बे में रखती थीं। किसी को याद नहीं
कि आँगन में नीम का पेड़ किसने लगाया था।`,
  bengali: `আজ সকালে মালী বাগানের বেঞ্চে একটি লাল ছাতা পেয়েছে এবং কাকে ফেরত দেবে বুঝতে পারেনি। পরীক্ষা আবার ব্যর্থ হওয়ায় দলটি নতুন সংস্করণ পিছিয়ে
দিয়েছে। কাল বৃষ্টি না হলে আমরা শিশুদের নিয়ে নদীর ধারে যাব। ঠাকুমা পুরোনো চিঠিগুলো খাটের নিচে একটি বাক্সে রাখতেন।`,
  tamil: `இன்று காலை தோட்டக்காரர் இருக்கையில் ஒரு சிவப்புக் குடையைக் கண்டார், அதை யாரிடம் திருப்பிக் கொடுப்பது என்று தெரியவில்லை. சோதனைகள் மீண்டும் தோல்வியடைந்ததால்
குழு புதிய பதிப்பைத் தள்ளிவைத்தது. நாளை மழை பெய்யாவிட்டால் குழந்தைகளுடன் ஆற்றங்கரைக்குச் செல்வோம்.`,
  thai: `เช้านี้คนสวนพบร่มสีแดงวางอยู่บนม้านั่งและไม่รู้ว่าจะคืนให้ใคร ทีมพัฒนาเลื่อนการเผยแพร่รุ่นใหม่ออกไปเพราะการทดสอบล้มเหลวอีกครั้ง
ถ้าพรุ่งนี้ฝนไม่ตก เราจะพาเด็กๆ ไปเที่ยวทะเล คุณยายเก็บจดหมายเก่าไว้ในกล่องใต้เตียง ไม่มีใครจำได้ว่าใครปลูกต้นมะม่วงไว้ในสนาม`,
  georgian: `დღეს დილით მებაღემ სკამზე წითელი ქოლგა იპოვა და ვერ გაიგო, ვისთვის დაებრუნებინა. გუნდმა ახალი ვერსია გადადო, რადგან ტესტები
კვლავ ჩავარდა. თუ ხვალ არ იწვიმებს, ბავშვებთან ერთად ზღვაზე წავალთ. ბებია ძველ წერილებს საწოლის ქვეშ ყუთში ინახავდა.`,
  chineseSimplified: `今天早上，园丁在长椅上发现了一把红色的雨伞，却不知道该还给谁。由于测试再次失败，开发团队推迟了新版本的发布时间。如果明天不下雨，我们就带孩子们去海边放风筝。
奶奶把旧信件都收在床底下的铁盒里，从来不让别人打开。没有人记得院子里那棵桂花树是谁种的。请先检查配置文件，再重新启动服务器，并把日志发送给管理员。`,
  chineseTraditional: `今天早上，園丁在長椅上發現了一把紅色的雨傘，卻不知道該還給誰。由於測試再次失敗，開發團隊延後了新版本的發布時間。如果明天不下雨，我們就帶孩子們去海邊放風箏。
奶奶把舊信件都收在床底下的鐵盒裡，從來不讓別人打開。沒有人記得院子裡那棵桂花樹是誰種的。請先檢查設定檔，再重新啟動伺服器，並將紀錄傳送給管理員。`,
  chineseClassical: `秋水既落，孤舟泊於寒渚，漁父歌而不應。客問其故，對曰：「魚潛淵底，網罟無所施也。」山僧掃葉煮茗，聽松濤竟夜，不知東方之既白。`,
  japanese: `今朝、庭師はベンチの上に赤い傘を見つけたが、誰に返せばよいのか分からなかった。テストがまた失敗したので、開発チームは新しいバージョンの公開を延期した。
明日雨が降らなければ、子どもたちを連れて海へ行くつもりです。おばあちゃんは古い手紙をベッドの下の箱にしまっていました。サーバーを再起動する前に、設定ファイルを確認してください。
ブラウザのキャッシュをクリアすると、エラーメッセージは表示されなくなりました。`,
  hiragana: `きょうは あさから あめが ふっていたので、いえの なかで えほんを よみました。ねこが まどの そばで ねむっています。おかあさんと いっしょに おにぎりを つくって たべました。`,
  korean: `오늘 아침 정원사는 벤치 위에서 빨간 우산을 발견했지만 누구에게 돌려주어야 할지 몰랐다. 테스트가 다시 실패했기 때문에 개발팀은 새 버전의 배포를 연기했습니다.
내일 비가 오지 않으면 아이들과 함께 바다에 갈 예정이에요. 할머니는 오래된 편지를 침대 밑 상자에 보관하셨다. 서버를 다시 시작하기 전에 설정 파일을 확인해 주세요.`,
};

/** Chinese, Japanese and Korean around code, as agents write it. */
export const mixed = `// 读取配置文件，如果不存在则使用默认值
const config = await loadConfig(path) ?? defaults; // 默认值见 README
console.log(\`已加载 \${config.entries.length} 个条目\`);
# ユーザー一覧を取得する（最大100件）
def fetch_users(limit: int = 100) -> list[User]:
    """データベースからユーザーを読み込む。"""
    return session.query(User).limit(limit).all()
- \`npm run build\` 명령을 실행하면 dist 폴더에 결과가 생성됩니다.
- 错误：TypeError: Cannot read properties of undefined，发生在第 42 行。
if err != nil { return fmt.Errorf("打开文件失败: %w", err) }
`;
