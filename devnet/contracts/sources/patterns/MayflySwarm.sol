// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Mayfly} from "./Mayfly.sol";

/// @title A swarm of mayflies
/// @notice Hatches mayflies. Some live for a transaction only, others until they are released.
contract MayflySwarm {
    event Hatched(Mayfly indexed mayfly, uint256 value);
    event Released(Mayfly indexed mayfly, address indexed heir);

    /// @notice There is no mayfly waiting.
    error SwarmIsEmpty();

    /// @notice Mayflies that wait for their release.
    Mayfly[] public waiting;

    /// @notice Hatches a mayfly with the value sent along and releases it at once: it leaves no trace but its gift.
    function flutter(address payable heir) external payable {
        _release(_hatch(), heir);
    }

    /// @notice Hatches a mayfly with the value sent along that waits for its release.
    function hatch() external payable {
        waiting.push(_hatch());
    }

    /// @notice Releases the mayfly that hatched last.
    function release(address payable heir) external {
        if (waiting.length == 0) revert SwarmIsEmpty();
        Mayfly mayfly = waiting[waiting.length - 1];
        waiting.pop();
        _release(mayfly, heir);
    }

    function _hatch() private returns (Mayfly mayfly) {
        mayfly = new Mayfly{value: msg.value}();
        emit Hatched(mayfly, msg.value);
    }

    function _release(Mayfly mayfly, address payable heir) private {
        emit Released(mayfly, heir);
        mayfly.flyAway(heir);
    }
}
