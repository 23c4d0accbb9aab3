// The example's tests.
