//! Fixed workloads, whose instructions `node scripts/instructions.mjs` counts: `workload NAME`.

use std::ops::ControlFlow;

use nearprint::{
    Key,
    dedupe::{Deduplicator, Options, Sketcher},
    normalize::nfkc_casefold,
    simhash::{Fingerprinter, NearIndex, Scheme},
};

#[path = "../../tests/it/hostile.rs"]
mod hostile;

/// A pseudorandom text of 100,000 bytes whose words are as varied as those of natural text.
fn text(letters: &[char], space: &str, longest: u32, mut state: u32) -> String {
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    let mut text = String::new();
    while text.len() < 100_000 {
        // The product of two makes some words common and most rare.
        let word = next(60) * next(60);
        for at in 0..1 + word % longest {
            text.push(letters[(word * 7 + at * 13) as usize % letters.len()]);
        }
        text.push_str(match next(12) {
            0 => ". ",
            1 => ", ",
            2 => "’s ",
            _ => space,
        });
    }
    text
}

/// Calls `run` with the parts of a text, of `len` bytes or a little less.
fn each_part(text: &str, len: usize, mut run: impl FnMut(&str)) {
    let mut rest = text;
    while !rest.is_empty() {
        let (part, more) = rest.split_at(rest.floor_char_boundary(len));
        run(part);
        rest = more;
    }
}

/// Letters of three kinds of text.
const LATIN: &str = "etaoinshrdlucmfwypvbgkTAIS";
const CYRILLIC: &str = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэф";

/// Texts of three kinds.
fn common_texts() -> [String; 3] {
    let letters = |letters: &str| letters.chars().collect::<Vec<_>>();
    let han: Vec<char> = ('一'..'十').collect();
    [text(&letters(LATIN), " ", 9, 1), text(&letters(CYRILLIC), " ", 11, 2), text(&han, "", 30, 3)]
}

fn fingerprinter(id: &str) -> Fingerprinter {
    Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap()
}

fn fingerprints() -> u128 {
    let mut sum = 0;
    let texts = common_texts();
    for id in ["v1:64", "v1:64:words1:tf", "v1:64:chars2:tf"] {
        let mut fingerprinter = fingerprinter(id);
        for text in &texts {
            each_part(text, 3000, |part| sum ^= fingerprinter.fingerprint(part));
        }
    }
    sum
}

fn sketches() -> u128 {
    let mut sum = 0;
    let mut sketcher = Sketcher::default();
    let texts = common_texts();
    for len in [100, 700, 3000] {
        for text in &texts {
            each_part(text, len, |part| sum ^= u128::from(sketcher.sketch(part).hashes()[0]));
        }
    }
    sum
}

const ENGLISH: &str = "the river burst its banks early on Tuesday and the road to the harbour is closed until further notice, the council said. Residents of Mill Lane, who had been asked to leave their homes on Monday night, can't return before the water has fallen; it's expected to reach its highest level by noon.";
const FRENCH: &str = "la rivière est sortie de son lit mardi matin et la route du port restera fermée jusqu’à nouvel ordre, a indiqué la mairie. Les habitants de la rue du Moulin, que l’on avait priés de quitter leurs maisons dès lundi soir, ne pourront pas rentrer avant que l’eau n’ait baissé; elle devrait atteindre son niveau le plus élevé vers midi.";
const VIETNAMESE: &str = "sông đã tràn bờ vào sáng sớm thứ ba và con đường xuống bến cảng bị đóng cửa cho đến khi có thông báo mới, hội đồng thành phố cho biết. Người dân ở đường Cối Xay, những người đã được yêu cầu rời khỏi nhà từ tối thứ hai, chưa thể trở về trước khi nước rút; mực nước dự kiến sẽ lên cao nhất vào buổi trưa.";
const CHINESE: &str = "周二 清晨 河水 漫过 堤岸 ， 市政 委员会 表示 ， 通往 港口 的 道路 将 关闭 至 另行 通知 。 磨坊 巷 的 居民 周一 晚上 已 被 要求 离开 家园 ， 在 水位 下降 之前 不能 返回 ； 预计 水位 将 在 中午 达到 最高 。";

/// Sketches of a text of the words of a passage, in random order.
fn language(passage: &str, space: &str) -> u128 {
    let words: Vec<&str> = passage.split(' ').collect();
    let mut state = 9_u32;
    let mut text = String::new();
    while text.len() < 100_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(words[(state >> 16) as usize % words.len()]);
        text.push_str(space);
    }
    let mut sum = 0;
    let mut sketcher = Sketcher::default();
    for _ in 0..10 {
        each_part(&text, 700, |part| sum += u128::from(sketcher.sketch(part).hashes()[0]));
    }
    sum
}

/// Scripts whose characters vectors do not know.
fn scripts() -> u128 {
    let scripts = [
        ("אבגדהוזחטיכלמנסעפצקרשת", " ", 7),
        ("กขคงจฉชซญดตถทธนบปผพฟมยรลวสหอ\u{e31}\u{e34}\u{e48}\u{e49}", "", 30),
        ("कखगघचछजटडणतथदधनपफबभमयरलवसह\u{93e}\u{93f}\u{947}\u{94d}", " ", 7),
        ("কখগঘচছজটডণতথদধনপফবভমযরলশসহ\u{9be}\u{9bf}\u{9c7}\u{9cd}", " ", 7),
        ("აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ", " ", 9),
        ("ကခဂဃငစဆဇညတထဒဓနပဖဗဘမယရလဝသဟ\u{102d}\u{102f}\u{1039}\u{1000}", " ", 30),
        ("abcdefghijklmnopqrstuvwxyz😀🎉🚀✅👍", " ", 9),
    ];
    let mut sum = 0;
    let mut fingerprinter = fingerprinter("v1:64");
    for (seed, (letters, space, longest)) in (1..).zip(scripts) {
        let letters: Vec<char> = letters.chars().collect();
        let text = text(&letters, space, longest, seed);
        each_part(&text, 3000, |part| sum ^= fingerprinter.fingerprint(part));
    }
    sum
}

/// Documents of one collection. Each occurs twice, the second time with another word.
fn decisions() -> u128 {
    let mut sketcher = Sketcher::default();
    let mut kept = Deduplicator::new(*sketcher.scheme()).unwrap();
    let key = Key::new(*b"16 random bytes.");
    let latin: Vec<char> = LATIN.chars().collect();
    let mut texts = Vec::new();
    for seed in 10..20 {
        let text = text(&latin, " ", 9, seed);
        each_part(&text, 300, |part| texts.extend([part.to_string(), format!("{part} end")]));
    }
    for (id, text) in (0..).zip(&texts) {
        let sketch = sketcher.sketch(text);
        let mut exact = Vec::new();
        while let ControlFlow::Continue(request) =
            kept.observe_step(id, &sketch, &Options::default(), &exact).unwrap()
        {
            let sets = [text, &texts[request.id as usize]];
            let [own, other] = sets.map(|text| sketcher.feature_set(key, text));
            exact.push(Some(own.resemblance(&other)));
        }
    }
    kept.len() as u128
}

/// Long texts that repeat what costs most. Quadratic time would multiply the count.
fn hostile() -> u128 {
    let repeated = hostile::UNITS.map(|unit| unit.repeat(100_000 / unit.len()));
    // Every class of marks many times, in the worst order for a sort by insertion.
    let classes = ["\u{301}", "\u{323}", "\u{5b0}", "\u{334}", "\u{3099}"];
    let descending = classes.map(|mark| mark.repeat(20_000 / mark.len())).concat();
    let after_break = ["broken-", &"\n".repeat(100_000), "word"].concat();
    let mut sum = 0;
    let mut fingerprinter = fingerprinter("v1:64");
    let mut sketcher = Sketcher::default();
    for text in repeated.into_iter().chain([descending, after_break]) {
        sum ^= fingerprinter.fingerprint(&text);
        sum ^= u128::from(sketcher.sketch(&text).hashes()[0]);
        sum ^= nfkc_casefold(&text).len() as u128;
    }
    sum
}

/// Families of equal documents, and many leases. Each operation takes constant time, whatever the set has.
fn families() -> u128 {
    let mut sketcher = Sketcher::default();
    let (mut kept, options) = (Deduplicator::default(), Options::default());
    let equal = sketcher.sketch("Good news for the ferry and its passengers");
    (0..20_000).for_each(|id| kept.add(id, &equal, &options).unwrap());
    // A blank text resembles nothing.
    let (mut leased, blank) = (Deduplicator::default(), sketcher.sketch(""));
    for id in 0..20_000 {
        leased.observe(id, &blank, &Options::default().lease(Some(10))).unwrap();
    }
    for id in 0..20_000 {
        let settle = [Deduplicator::confirm, Deduplicator::release][id as usize % 2];
        assert!(settle(&mut leased, id, None, 0).unwrap());
        assert_eq!(leased.len() as u64, 20_000 - id.div_ceil(2));
    }
    // All copies of a fingerprint but one are removed, and are in no pair.
    let copies = (0..20_000).map(|id| (id, 0)).chain((20_000..40_000).map(|id| (id, id.into())));
    let mut index = NearIndex::default();
    copies.for_each(|(id, fingerprint)| index.add(id, fingerprint).unwrap());
    assert!((1..20_000).all(|id| index.remove(id)));
    assert_eq!(index.pairs(0).unwrap().count(), 0);
    (kept.len() + leased.len() + index.len()) as u128
}

/// A workload, which returns a number that depends on all results.
type Workload = fn() -> u128;

const WORKLOADS: [(&str, Workload); 10] = [
    ("fingerprints", fingerprints),
    ("sketches", sketches),
    ("english", || language(ENGLISH, " ")),
    ("french", || language(FRENCH, " ")),
    ("chinese", || language(CHINESE, "")),
    ("vietnamese", || language(VIETNAMESE, " ")),
    ("scripts", scripts),
    ("decisions", decisions),
    ("hostile", hostile),
    ("families", families),
];

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some((_, run)) = WORKLOADS.iter().find(|(known, _)| *known == name) else {
        let names = WORKLOADS.map(|(name, _)| name).join(", ");
        panic!("the argument must be one of {names}, got {name:?}");
    };
    println!("{:016x}", run());
}
