//! What it costs to judge an event that is right: nothing is allocated.

#![allow(clippy::unwrap_used, reason = "a test")]

mod shape_support;

use conform_event::EventType;
use conform_event::json::read;
use conform_event::shape::{Version, check, check_input, event_shape, input_shape};
use shape_support::object;

#[test]
fn what_is_right_allocates_nothing() {
    for version in Version::ALL.iter().copied() {
        for (pick, all) in [(0, false), (0, true), (1, true), (2, true)] {
            for event_type in EventType::ALL {
                let event =
                    object(event_shape(*event_type), event_type.as_str(), version, all, pick);
                let text = event.to_string();
                let (json, _) = read(text.as_bytes()).unwrap();
                let cost =
                    allocation_counter::measure(|| assert!(check(&json, version).is_empty()));
                assert_eq!(cost.count_total, 0, "{text}");
            }
            let text = object(input_shape(), "", version, all, pick).to_string();
            let (json, _) = read(text.as_bytes()).unwrap();
            let cost =
                allocation_counter::measure(|| assert!(check_input(&json, version).is_empty()));
            assert_eq!(cost.count_total, 0, "{text}");
        }
    }
}
