// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Where a proxy keeps the address of its implementation
/// @dev The slot is given by ERC-1967: far away from anything that a compiler would use.
library Implementation {
    event Upgraded(address indexed implementation);

    /// @notice There is no code at `implementation`.
    error NoCode(address implementation);

    /// @dev keccak256("eip1967.proxy.implementation") - 1
    bytes32 internal constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    /// @notice The implementation of the contract in whose storage this runs.
    function read() internal view returns (address implementation) {
        bytes32 slot = SLOT;
        assembly ("memory-safe") {
            implementation := sload(slot)
        }
    }

    /// @notice Sets another implementation.
    function write(address implementation) internal {
        if (implementation.code.length == 0) revert NoCode(implementation);
        bytes32 slot = SLOT;
        assembly ("memory-safe") {
            sstore(slot, implementation)
        }
        emit Upgraded(implementation);
    }
}
