//! The twins of faults keep what is asked beyond ordering too.

use std::collections::BTreeMap;

use conform_generate::{Dice, Fault, Plan, Scope};

use super::judge::Judge;

#[test]
fn nothing_is_wrong_with_twins() {
    let mut wrong: BTreeMap<String, (u32, String)> = BTreeMap::new();
    for case in 0..60 {
        let mut dice = Dice::of_case(27, case);
        let plan = Plan::grow(&mut dice, Scope::Stream);
        let amid = Fault::each_amid_plan(&plan, &mut dice).into_iter();
        for fault in amid.chain(Fault::each_in_plan(&plan, &mut dice)) {
            for what in Judge::of(&fault.twin).wrong {
                let requirement = what.split(' ').next().unwrap_or_default();
                let key = format!("{requirement} {:?}", fault.cell);
                wrong.entry(key).or_insert((0, format!("case {case}: {what}"))).0 += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}
