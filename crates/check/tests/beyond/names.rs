//! The names of CUSTOM events.

use super::{FINISHED, STARTED, assert_found};

#[test]
fn custom_names_have_a_prefix() {
    let custom = |name: &str| format!(r#"{{"type":"CUSTOM","name":"{name}","value":1}}"#);
    for name in ["a.b", "a:b", "a/b", "com.example.cart-updated", ".a.b", "a..", "é.é"] {
        assert_found(&[STARTED, &custom(name), FINISHED], &[]);
    }
    for name in ["progress", "", ".", "a.", ".a", ":progress", "progress/", "a-b", "a_b", "a b"] {
        let expected = [("shape/custom-name-prefixed", 1, "/name")];
        assert_found(&[STARTED, &custom(name), FINISHED], &expected);
    }
    let nameless = r#"{"type":"CUSTOM","value":1}"#;
    assert_found(&[STARTED, nameless, FINISHED], &[("shape/well-formed", 1, "/name")]);
}
